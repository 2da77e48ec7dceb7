// The always-on store: its status as text, and the paths of its requests.

import {formatBytes, formatCount, formatDuration, formatShare} from '../../model/text/numbers.js';

export const ZOOMS = [
  {id: 'hour', label: 'Last hour', query: '?from=-1h'},
  {id: 'day', label: 'Last day', query: '?from=-1d'},
  {id: 'all', label: 'All', query: ''},
];

/** @typedef {{from: number, to: number}} Range  in milliseconds since 1970 */

/** @return {string} the text without trailing zeros after the decimal point */
export function short(text) { return text.replace(/\.0+(?=\D)/, ''); }

/** @param {Object} store of a status @return {{text: string, isWarning: boolean}[]} */
export function factsOf(store) {
  const fact = (text, isWarning = false) => ({text, isWarning});
  const facts = [
    fact(store.events.join(', ')),
    fact(`${short(formatDuration(store.window_ns))} windows`),
    fact(`${formatBytes(store.bytes)} of ${formatBytes(store.keep_bytes)}`),
    fact(`overhead ${formatShare(store.cost, 1)} (limit ${formatShare(store.budget, 1)})`),
  ];
  if (store.slowdown > 1) facts.push(fact(`sampling rates reduced ${store.slowdown} times to stay within the limit`, true));
  if (store.windows_lost > 0) facts.push(fact(`${formatCount(store.windows_lost)} windows lost`, true));
  if (store.problem) facts.push(fact(store.problem, true));
  return facts;
}

const queryOf = ({from, to}, prefix = '') => `${prefix}from=${Math.floor(from)}&${prefix}to=${Math.ceil(to)}`;

/** @param {Range} range @return {string} of its flame graph */
export function profilePath(range) { return `/api/store/profile.html?${queryOf(range)}`; }

/** @param {Range} range @return {string} of its timeline */
export function timelinePath(range) { return `/api/store/timeline?${queryOf(range)}`; }

/** @return {[Range, Range]} both ranges, the earlier one first */
export function inOrder(one, other) { return one.from <= other.from ? [one, other] : [other, one]; }

/** @param {Range} before @param {Range} after @return {string} of the difference */
export function differencePath(before, after) { return `/api/store/diff.html?${queryOf(after)}&${queryOf(before, 'base_')}`; }

/** @return {string} a time as the value of a time field, in the reader's time zone */
export function fieldOf(milliseconds) {
  const time = new Date(milliseconds - new Date(milliseconds).getTimezoneOffset() * 60_000);
  return time.toISOString().slice(0, 19);
}

/** @param {string} from @param {string} to of two fields @return {?Range} null: not a valid range */
export function rangeOfFields(from, to) {
  const range = {from: Date.parse(from), to: Date.parse(to)};
  return range.to > range.from ? range : null;
}

const two = (number) => String(number).padStart(2, '0');

export function clockOf(milliseconds) {
  const time = new Date(milliseconds);
  return `${two(time.getHours())}:${two(time.getMinutes())}:${two(time.getSeconds())}`;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

export function dayOf(milliseconds) {
  const time = new Date(milliseconds);
  return `${MONTHS[time.getMonth()]} ${time.getDate()}`;
}

/** @param {Range} range @return {string} Nov 23, 10:02:00 – 10:05:00 */
export function rangeText({from, to}) {
  const begin = `${dayOf(from)}, ${clockOf(from)}`;
  return dayOf(from) === dayOf(to) ? `${begin} – ${clockOf(to)}` : `${begin} – ${dayOf(to)}, ${clockOf(to)}`;
}
