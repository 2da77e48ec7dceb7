// The stored profiles as a table: what its cells say, in which order, and which rows are wanted.

import {formatBytes, formatCount, formatDuration, formatShare, formatTime} from '../../model/numbers.js';

/** Fewer samples than this tell little. */
const FEW = 100;
const MUCH_LOST = 0.01;
const LARGELY_WHOLE = 0.9;

export const COLUMNS = [
  {id: 'name', label: 'Profile', key: (profile) => nameOf(profile).toLowerCase()},
  {id: 'event', label: 'Event', key: (profile) => profile.event},
  {id: 'start', label: 'Started', key: (profile) => profile.start_unix_ms},
  {id: 'duration', label: 'Duration', key: (profile) => profile.duration_ns},
  {id: 'samples', label: 'Samples', key: (profile) => profile.samples},
  {id: 'bytes', label: 'Size', key: (profile) => profile.bytes},
  {id: 'quality', label: 'Quality', key: (profile) => qualityOf(profile).rank},
];

export const FORMATS = [
  {ending: '.pb.gz', label: 'pprof (.pb.gz)'},
  {ending: '.collapsed', label: 'Collapsed stacks'},
  {ending: '.html', label: 'Flame graph (.html)'},
  {ending: '.json', label: 'JSON'},
];

/** @return {string} its title, or what can be said without one */
export function nameOf({title, event}) { return title || (event ? `${event} profile` : 'profile'); }

/** @return {string[]} one text for each of COLUMNS but the last */
export function cellsOf(profile) {
  return [
    nameOf(profile),
    profile.event,
    profile.start_unix_ms > 0 ? formatTime(profile.start_unix_ms) : '–',
    formatDuration(profile.duration_ns),
    formatCount(profile.samples),
    formatBytes(profile.bytes),
  ];
}

/** @return {{rank: number, word: string, why: string, isGood: boolean}} how far a profile can be trusted; a higher rank is better */
export function qualityOf({samples, quality = {}}) {
  if (!quality.engine) return {rank: 1, word: 'unknown', why: 'made elsewhere', isGood: false};
  if (samples === 0) return {rank: 0, word: 'empty', why: 'nothing was sampled', isGood: false};
  const lostShare = quality.lost / (quality.lost + samples);
  const share = quality.whole_share;
  const whole = typeof share === 'number' ? `${formatShare(share, 1)} whole` : 'no Java stacks';
  const lost = quality.lost > 0 ? `${formatShare(quality.lost, quality.lost + samples)} lost` : 'none lost';
  if (lostShare > MUCH_LOST) return {rank: 2, word: 'lossy', why: `${lost}, ${whole}`, isGood: false};
  if (typeof share === 'number' && share < LARGELY_WHOLE) return {rank: 3, word: 'broken stacks', why: `${whole}, ${lost}`, isGood: false};
  if (samples < FEW) return {rank: 4, word: 'few samples', why: `${whole}, ${lost}`, isGood: false};
  return {rank: 5, word: 'good', why: `${whole}, ${lost}`, isGood: true};
}

/**
 * @param {Object[]} profiles @param {string} filter part of a name, an event or an id @param {{column: string, isUp: boolean}} order
 * @return {Object[]} those that are wanted; equal ones newest first
 */
export function arrange(profiles, filter, {column, isUp}) {
  const wanted = filter.trim().toLowerCase();
  const {key} = COLUMNS.find(({id}) => id === column);
  const direction = isUp ? 1 : -1;
  const compare = (a, b) => a < b ? -1 : a > b ? 1 : 0;
  return profiles
      .filter((profile) => `${nameOf(profile)} ${profile.event} ${profile.id}`.toLowerCase().includes(wanted))
      .sort((a, b) => direction * compare(key(a), key(b)) || compare(b.id, a.id));
}

/** @return {{column: string, isUp: boolean}} after a click on a column's head; text begins upwards, numbers with the largest */
export function orderAfter({column, isUp}, clicked) {
  if (column === clicked) return {column, isUp: !isUp};
  return {column: clicked, isUp: clicked === 'name' || clicked === 'event'};
}

/** @param {string[]} picked at most two ids, the one picked first first @return {string[]} after another was picked or put back */
export function pick(picked, id) {
  if (picked.includes(id)) return picked.filter((other) => other !== id);
  return [...picked, id].slice(-2);
}

/** @return {string} for a file of this profile: its name in signs that every system has in file names */
export function fileName(profile, ending) {
  const name = nameOf(profile).replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-+|-+$/g, '').slice(0, 60);
  return `${name || 'profile'}-${profile.id}${ending}`;
}
