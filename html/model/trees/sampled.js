// Number of samples behind a value. A profile of several events counts all samples together, but a view shows one event.

import {rowVariances} from './bounds.js';

const EVENT_WORDS = {
  cpu: 'CPU',
  wall: 'wall clock',
  alloc_objects: 'allocation',
  alloc_space: 'allocation',
  inuse_objects: 'live object',
  inuse_space: 'live object',
  native_allocs: 'native allocation',
  native_alloc_space: 'native allocation',
  native_inuse_allocs: 'live native memory',
  native_inuse_space: 'live native memory',
  heap_growth: 'live object',
  native_growth: 'live native memory',
  calls: 'method call',
  traced_calls: 'traced call',
  traced_time: 'traced call',
  contentions: 'lock',
  delay: 'lock',
  native_contentions: 'native lock',
  native_delay: 'native lock',
  io_calls: 'I/O call',
  io_time: 'I/O call',
  io_transfers: 'I/O transfer',
  io_bytes: 'I/O transfer',
  wakeups: 'wake-up',
  wakers: 'wake-up',
  vthread_waits: 'wait',
  vthreads: 'wait',
};

/** Value types that belong to the same event: count -> amount. */
const PAIRS = {
  alloc_objects: 'alloc_space',
  inuse_objects: 'inuse_space',
  native_allocs: 'native_alloc_space',
  native_inuse_allocs: 'native_inuse_space',
  traced_calls: 'traced_time',
  contentions: 'delay',
  native_contentions: 'native_delay',
  io_calls: 'io_time',
  io_transfers: 'io_bytes',
  wakeups: 'wakers',
  vthread_waits: 'vthreads',
};

/**
 * @typedef {Object} Sampled
 * @property {number} samples  of the event of the value
 * @property {boolean} isEstimate  for allocations and locks among other events: the number of samples with the same error
 * @property {boolean} isOfSeveral  whether the profile has other events, too
 * @property {string} event  its name in a sentence, '' if not known
 * @property {{unit: string, interval: number}} every  sampling interval; 0: not known
 */

/**
 * @param {import('../data/decode.js').Profile} profile @param {number} lens index of a value type
 * @param {Object} side  the header, or the header of a side of a difference
 * @return {Sampled}
 */
export function sampledOf(profile, lens, side = profile.header) {
  const {difference, values} = profile.header;
  const count = difference ? values.length / 2 : values.length;
  const first = lens - lens % count;
  const own = values.slice(first, first + count);
  const several = eventsOf(own);
  const isOfSeveral = several > 1;
  const weight = weightOf(own, lens - first);
  const {type} = own[weight];
  const sampled = {isOfSeveral, event: several === 0 ? '' : EVENT_WORDS[type] ?? type.replaceAll('_', ' '), every: everyOf(side, own, weight)};
  const known = side.quality?.samples ?? 0;
  if (difference && own[0].type === 'samples') return {...sampled, samples: total(profile.valuesOf(first)), isEstimate: false};
  if (!isOfSeveral) return {...sampled, samples: known, isEstimate: false};
  if (own[0].type === 'samples' && !isPaired(type)) return {...sampled, samples: countedSamples(profile, lens), isEstimate: false};
  return {...sampled, samples: Math.min(estimatedSamples(profile, weight) ?? known, known), isEstimate: true};
}

const isPaired = (type) => Object.entries(PAIRS).flat().includes(type);

/** Returns the number of events; 0: not known. */
function eventsOf(values) {
  return values.filter(({type}) => type !== 'samples' && !(type in PAIRS)).length;
}

/** @return {number} for a count the value type of its amount, else the same value type */
function weightOf(values, at) {
  const {type} = values[at];
  return (type === 'samples' || type in PAIRS) && at + 1 < values.length ? at + 1 : at;
}

function everyOf(header, values, at) {
  return {unit: values[at].unit, interval: values[at].interval ?? (at === values.length - 1 ? header.interval ?? 0 : 0)};
}

function total(column) { return column.reduce((sum, value) => sum + value, 0); }

/** Counts the samples of rows with a value; a row belongs to one event. */
function countedSamples({valuesOf}, lens) {
  const [samples, weights] = [valuesOf(0), valuesOf(lens)];
  return samples.reduce((sum, count, row) => weights[row] > 0 ? sum + count : sum, 0);
}

/** Number of samples of equal weight with the same relative error. @return {?number} null if the error is not known */
function estimatedSamples(profile, lens) {
  const variances = rowVariances(profile, lens);
  if (!variances) return null;
  const variance = total(variances);
  const weight = total(profile.valuesOf(lens));
  return variance > 0 ? Math.round(weight * weight / variance) : weight > 0 ? Infinity : 0;
}
