// Selects rows by labels and by time.

import {inSlices} from '../slices.js';

/**
 * @typedef {Object} Filters
 * @property {Object<string, (?string|number)[]>=} labels  key -> values that are kept, null for rows without the label
 * @property {?{from_ns: number, to_ns: number}=} time  since the profile's start
 * @property {string[]=} ends  ids of families of innermost frames that are kept, see ends.js; none: all
 */

/** @return {(?string|number)[]} values of a label that are kept; none: all */
export function keptValues(filters, key) { return Object.hasOwn(filters, key) ? filters[key] : []; }

/**
 * @param {import('../data/decode.js').Profile} profile @param {Filters} filters
 * @return {Generator} of a Uint8Array, row -> 1 if it is kept, or null: all rows
 */
export function* keptRows(profile, filters = {}) {
  const {rowNodes, rowSets, rowTimes} = profile;
  const sets = keptSets(profile, filters.labels ?? {});
  const steps = keptSteps(profile, filters.time);
  if (!sets && !steps) return null;
  const kept = new Uint8Array(rowNodes.length);
  yield* inSlices(rowNodes.length, (from, to) => {
    for (let row = from; row < to; row++) {
      const isOfSet = !sets || sets[rowSets ? rowSets[row] : 0];
      const step = rowTimes ? rowTimes[row] : 0;
      const isInTime = !steps || (step >= steps.first && step <= steps.last);
      kept[row] = isOfSet && isInTime ? 1 : 0;
    }
  });
  return kept;
}

/** @return {?Uint8Array} label set -> 1 if it is kept */
function keptSets({labels, labelSets}, filters) {
  const wanted = Object.entries(filters).filter(([, values]) => values?.length > 0)
      .map(([key, values]) => ({key, values: new Set(values)}));
  if (wanted.length === 0) return null;
  return Uint8Array.from(labelSets, (set) => {
    const has = ({key, values}) => {
      const own = set.filter(({label}) => labels[label].key === key);
      return own.length === 0 ? values.has(null) : own.some(({value}) => values.has(value));
    };
    return wanted.every(has) ? 1 : 0;
  });
}

/** @return {?{first: number, last: number}} steps that overlap the time range; never step 0, which means no time */
function keptSteps({header}, time) {
  if (!time) return null;
  const step = header.time?.step_ns ?? 1;
  return {first: Math.max(1, 1 + Math.floor(time.from_ns / step)), last: Math.ceil(time.to_ns / step)};
}
