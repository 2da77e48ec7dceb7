// The table of stored profiles: cells, order and filter.

import {formatBytes, formatCount, formatDuration, formatShare, formatTime} from '../../model/text/numbers.js';

/** Fewer samples give unreliable shares. */
const FEW = 100;
const MUCH_LOST = 0.01;
const LARGELY_WHOLE = 0.9;

export const COLUMNS = [
  {id: 'name', label: 'Profile', key: (profile) => nameOf(profile).toLowerCase()},
  {id: 'program', label: 'Program', key: (profile) => programOf(profile).toLowerCase()},
  {id: 'event', label: 'Event', key: (profile) => profile.event},
  {id: 'start', label: 'Started', key: (profile) => profile.start_unix_ms},
  {id: 'duration', label: 'Duration', key: (profile) => profile.duration_ns},
  {id: 'samples', label: 'Samples', key: (profile) => profile.samples},
  {id: 'bytes', label: 'Size', key: (profile) => profile.bytes},
  {id: 'quality', label: 'Quality', key: (profile) => qualityOf(profile).rank},
];

export const FORMATS = [
  {ending: '.pb.gz', label: 'pprof (.pb.gz)'},
  {ending: '.otlp', label: 'OpenTelemetry (.otlp)'},
  {ending: '.jfr', label: 'JFR (.jfr)'},
  {ending: '.collapsed', label: 'Collapsed stacks'},
  {ending: '.html', label: 'Flame graph (.html)'},
  {ending: '.json', label: 'JSON'},
];

const RUN = /^\d{8}_\d{6}-0*(\d+)-(.+)-profile$/;

/** @return {string} its title, the number of a REPL's run, or its event */
export function nameOf({title, event, id}) {
  const [, number, what] = RUN.exec(id ?? '') ?? [];
  return title || (number ? `Run ${number}: ${what}` : event ? `${event} profile` : 'profile');
}

/** Returns the pid; older profiles have it in their ids only. */
function pidOf({pid, id}) { return pid || (/^\d{8}-\d{6}-(\d+)-/.exec(id ?? '')?.[1] ?? ''); }

/** @return {string} Shop · 4711 */
export function programOf(profile) {
  const name = (profile.program ?? '').split('/').at(-1);
  const pid = pidOf(profile);
  return [...(name ? [name] : []), ...(pid ? [name ? pid : `pid ${pid}`] : [])].join(' · ') || 'unknown';
}

/** @param {{pid: number, main: string}} jvm @return {boolean} whether a profile is of the program that runs there, now or before */
export function isOwn(profile, jvm) {
  return profile.program ? profile.program === jvm.main : pidOf(profile) === String(jvm.pid);
}

/** @return {string[]} one text for each of COLUMNS but the last */
export function cellsOf(profile) {
  return [
    nameOf(profile),
    programOf(profile),
    profile.event,
    profile.start_unix_ms > 0 ? formatTime(profile.start_unix_ms) : '–',
    formatDuration(profile.duration_ns),
    formatCount(profile.samples),
    formatBytes(profile.bytes),
  ];
}

/** @return {{rank: number, word: string, why: string, isGood: boolean}} quality of a profile; a higher rank is better */
export function qualityOf({samples, quality = {}}) {
  if (!quality.engine) return {rank: 1, word: 'unknown', why: 'no quality data', isGood: false};
  if (samples === 0) return {rank: 0, word: 'empty', why: 'no samples', isGood: false};
  const lostShare = quality.lost / (quality.lost + samples);
  const share = quality.whole_share;
  const whole = typeof share === 'number' ? `${formatShare(share, 1)} complete` : 'no Java stacks';
  const lost = quality.lost > 0 ? `${formatShare(quality.lost, quality.lost + samples)} lost` : 'none lost';
  if (lostShare > MUCH_LOST) return {rank: 2, word: 'lossy', why: `${lost}, ${whole}`, isGood: false};
  if (typeof share === 'number' && share < LARGELY_WHOLE) return {rank: 3, word: 'incomplete stacks', why: `${whole}, ${lost}`, isGood: false};
  if (samples < FEW) return {rank: 4, word: 'few samples', why: `${whole}, ${lost}`, isGood: false};
  return {rank: 5, word: 'good', why: `${whole}, ${lost}`, isGood: true};
}

/**
 * @param {Object[]} profiles @param {string} filter part of a name, a program, an event or an id @param {{column: string, isUp: boolean}} order
 * @return {Object[]} matching profiles; equal ones newest first
 */
export function arrange(profiles, filter, {column, isUp}) {
  const wanted = filter.trim().toLowerCase();
  const {key} = COLUMNS.find(({id}) => id === column);
  const direction = isUp ? 1 : -1;
  const compare = (a, b) => a < b ? -1 : a > b ? 1 : 0;
  return profiles
      .filter((profile) => `${nameOf(profile)} ${programOf(profile)} ${profile.event} ${profile.id}`.toLowerCase().includes(wanted))
      .sort((a, b) => direction * compare(key(a), key(b)) || compare(b.id, a.id));
}

/** @return {{column: string, isUp: boolean}} after a click on a column's head; text starts ascending, numbers descending */
export function orderAfter({column, isUp}, clicked) {
  if (column === clicked) return {column, isUp: !isUp};
  return {column: clicked, isUp: ['name', 'program', 'event'].includes(clicked)};
}

/** @param {string[]} picked at most two ids, in the order of picking @return {string[]} after an id was picked or unpicked */
export function pick(picked, id) {
  if (picked.includes(id)) return picked.filter((other) => other !== id);
  return [...picked, id].slice(-2);
}

/** @return {string} file name of this profile, with characters that every system allows */
export function fileName(profile, ending) {
  const name = nameOf(profile).replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-+|-+$/g, '').slice(0, 60);
  return `${name || 'profile'}-${profile.id}${ending}`;
}
