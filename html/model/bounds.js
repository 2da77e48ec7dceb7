// How far shares of sampled allocations may be from the truth. The page's side of agent/profile/share_bounds.h, where
// the reasons are.

const DEVIATIONS_OF_95_PERCENT = 1.96;
const OBJECTS_OF = {
  alloc_space: 'alloc_objects',
  inuse_space: 'inuse_objects',
};

/**
 * @param {import('./decode.js').Profile} profile @param {number} lens index of a value type
 * @return {?Float64Array} node -> variance of its own value; null where nothing is known of it
 */
export function variancesOf({header, selfs}, lens) {
  const pair = pairOf(header.values, lens);
  if (!pair) return null;
  const {objects, bytes} = pair;
  const interval = header.values[bytes].interval ?? (bytes === header.values.length - 1 ? header.interval : 0);
  const oneOf = header.values[bytes].one_of ?? 1;
  if (!(interval > 0) && !(oneOf > 1)) return null;
  return selfs[objects].map((count, node) => {
    if (count === 0) return 0;
    const size = selfs[bytes][node] / count;
    if (size === 0) return 0;
    const unmet = interval > 0 ? 1 / Math.expm1(size / interval) : 0;
    return count * (oneOf * (1 + unmet) - 1) * (lens === bytes ? size * size : 1);
  });
}

/** The two value types of the event that `lens` belongs to; null when it does not count objects. */
function pairOf(values, lens) {
  for (const bytes of [lens, lens + 1]) {
    const objects = bytes - 1;
    if (objects >= 0 && bytes < values.length && OBJECTS_OF[values[bytes].type] === values[objects].type)
      return {objects, bytes};
  }
  return null;
}

/**
 * @param {{value: number, variance: number}} part @param {{value: number, variance: number}} whole that it is a part of
 * @return {number} half the width of the interval around the part's share that holds the true one in 95 of 100 profiles
 */
export function boundOfShare(part, whole) {
  if (!(whole.value > 0)) return 0;
  const share = part.value / whole.value;
  const rest = Math.max(whole.variance - part.variance, 0);
  const variance = (1 - share) ** 2 * part.variance + share ** 2 * rest;
  return DEVIATIONS_OF_95_PERCENT * Math.sqrt(variance) / whole.value;
}
