// The timeline of the always-on store: values and positions of its points, and the points of a range. Times are in milliseconds since
// 1970.

import {formatBytes, formatShare} from '../../model/text/numbers.js';

import {clockOf, dayOf, short} from './store.js';

/**
 * @typedef {Object} Point  of GET /api/store/timeline
 * @property {number} begin_ms @property {number} duration_ms @property {number} sampled_ns @property {number} cpu_ns
 * @property {number} allocated_bytes @property {number} gc_pause_ns
 */

const ratio = (part, whole) => whole > 0 ? part / whole : 0;
const SPACE = '\u00a0';

/** `least`: smallest maximum of the axis, so that small values do not look large. */
export const LANES = [
  {
    id: 'cpu',
    label: 'CPU',
    least: 0.1,
    valueOf: (point) => ratio(point.cpu_ns, point.sampled_ns),
    axis: (value) => `${Number(value.toPrecision(3))}`,
    format: (value) => `${value.toFixed(value >= 9.995 ? 1 : value >= 0.0995 ? 2 : 3)}${SPACE}cores`,
  },
  {
    id: 'alloc',
    label: 'Allocation',
    least: 1e6,
    valueOf: (point) => 1e9 * ratio(point.allocated_bytes, point.sampled_ns),
    axis: (value) => value === 0 ? '0' : `${short(formatBytes(value))}/s`,
    format: (value) => `${formatBytes(value)}/s`,
  },
  {
    id: 'gc',
    label: 'GC pauses',
    least: 0.01,
    valueOf: (point) => ratio(point.gc_pause_ns, point.sampled_ns),
    axis: (value) => `${Number((100 * value).toPrecision(3))}${SPACE}%`,
    format: (value) => `${formatShare(value, 1)} of the time`,
  },
];

export const endOf = (point) => point.begin_ms + point.duration_ms;

/** @param {Point[]} points not none @return {import('./store.js').Range} */
export function domainOf(points) { return {from: points[0].begin_ms, to: Math.max(...points.map(endOf))}; }

const DIGITS = [1, 1.5, 2, 3, 4, 5, 6, 8, 10];

/** @return {number} a round number not below `value` */
export function niceAbove(value) {
  const power = 10 ** Math.floor(Math.log10(value));
  // Ignore rounding errors of the division.
  return DIGITS.map((digit) => digit * power).find((nice) => nice >= value * (1 - 1e-9));
}

export function axisOf(lane, points) {
  return niceAbove(points.reduce((most, point) => Math.max(most, lane.valueOf(point)), lane.least));
}

/** @return {Point[][]} runs of consecutive points */
export function runsOf(points) {
  const runs = [];
  points.forEach((point, i) => {
    const before = points[i - 1];
    const pause = before ? point.begin_ms - endOf(before) : Infinity;
    if (pause > Math.min(point.duration_ms, before?.duration_ms) / 2 || !before) runs.push([]);
    runs.at(-1).push(point);
  });
  return runs;
}

/**
 * A step line, because each point is the mean of its time.
 * @param {function(number): number} x of a time @param {function(number): number} y of a value
 * @return {{line: string, area: string}} of an SVG path
 */
export function stairsOf(run, lane, x, y) {
  const place = (value) => Number(value.toFixed(1));
  const steps = run.flatMap((point, i) => {
    const height = place(y(lane.valueOf(point)));
    const end = i + 1 < run.length ? run[i + 1].begin_ms : endOf(point);
    return [`${place(x(point.begin_ms))},${height}`, `${place(x(end))},${height}`];
  });
  const line = `M${steps.join('L')}`;
  const floor = place(y(0));
  return {line, area: `${line}L${place(x(endOf(run.at(-1))))},${floor}L${place(x(run[0].begin_ms))},${floor}Z`};
}

const SECOND = 1000, MINUTE = 60 * SECOND, HOUR = 60 * MINUTE, DAY = 24 * HOUR;
const STEPS = [
  ...[1, 2, 5, 10, 15, 30].map((count) => count * SECOND), ...[1, 2, 5, 10, 15, 30].map((count) => count * MINUTE),
  ...[1, 2, 3, 6, 12].map((count) => count * HOUR), ...[1, 2, 7, 14, 28].map((count) => count * DAY)
];

/** @param {import('./store.js').Range} domain @param {number} most @return {{at: number, label: string}[]} */
export function ticksOf({from, to}, most) {
  const step = STEPS.find((one) => (to - from) / one <= most) ?? STEPS.at(-1);
  // Ticks are aligned to the reader's time zone.
  const offset = new Date(from).getTimezoneOffset() * MINUTE;
  const ticks = [];
  for (let at = Math.ceil((from - offset) / step) * step + offset; at <= to; at += step) ticks.push({at, label: labelOf(at, step)});
  return ticks;
}

function labelOf(at, step) {
  const clock = clockOf(at);
  if (step >= DAY || clock === '00:00:00') return dayOf(at);
  return step >= MINUTE ? clock.slice(0, 5) : clock;
}

/** @return {Point[]} the points that overlap a range */
export function pointsIn(points, {from, to}) { return points.filter((point) => point.begin_ms < to && endOf(point) > from); }

/** @return {?import('./store.js').Range} the range extended to whole points; null: no points */
export function snapped(points, range) {
  const within = pointsIn(points, range);
  return within.length > 0 ? domainOf(within) : null;
}

/** @return {?Point} the point at a time, or the nearest one */
export function pointAt(points, time) {
  let nearest = null, least = Infinity;
  for (const point of points) {
    const distance = Math.max(point.begin_ms - time, time - endOf(point), 0);
    if (distance < least) [nearest, least] = [point, distance];
  }
  return nearest;
}

/** @return {Point} the sum of the points */
export function sumOf(points) {
  const sum = {sampled_ns: 0, cpu_ns: 0, allocated_bytes: 0, gc_pause_ns: 0};
  for (const point of points) {
    for (const key of Object.keys(sum)) sum[key] += point[key];
  }
  return sum;
}

/**
 * @param {Point[]} points not none @param {?import('./store.js').Range} range selected range @param {string} key  of a keydown event
 * @param {boolean} isWider  extend the range instead of moving it @return {?import('./store.js').Range} null: not a key of the line
 */
export function rangeAfterKey(points, range, key, isWider) {
  const within = range ? pointsIn(points, range) : [];
  const first = within.length > 0 ? points.indexOf(within[0]) : points.length;
  const last = within.length > 0 ? points.indexOf(within.at(-1)) : points.length - 2;
  const goal = {ArrowLeft: first - 1, ArrowRight: last + 1, Home: 0, End: points.length - 1}[key];
  if (goal === undefined) return null;
  const at = Math.min(points.length - 1, Math.max(0, goal));
  if (!isWider || within.length === 0) return domainOf([points[at]]);
  return domainOf(points.slice(Math.min(first, at), Math.max(last, at) + 1));
}
