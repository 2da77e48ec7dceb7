// How far shares of sampled allocations may be from the truth. The page's side of agent/profile/share_bounds.h.

export const DEVIATIONS_OF_95_PERCENT = 1.96;

// By profile, then by value type.
const known = new WeakMap();

/**
 * @param {import('./decode.js').Profile} profile @param {number} lens index of a value type
 * @return {?Float64Array} row -> variance of its value; null where nothing is known of it
 */
export function rowVariances(profile, lens) {
  if (!known.has(profile)) known.set(profile, new Map());
  const ofLens = known.get(profile);
  if (!ofLens.has(lens)) ofLens.set(lens, computeVariances(profile, lens));
  return ofLens.get(lens);
}

/** Reads what rowVariances() is made of: each column takes a while. */
export function* readVariances(profile, lens) {
  const counts = profile.deviationsOf(lens) ? null : countsOf(profile.header, lens);
  yield;
  for (const column of counts === null ? [] : [lens, counts]) {
    profile.valuesOf(column);
    yield;
  }
}

function computeVariances(profile, lens) {
  const deviations = profile.deviationsOf(lens);
  if (deviations) return deviations.map((deviation) => deviation * deviation);
  const counts = countsOf(profile.header, lens);
  return counts === null ? null : countedVariances(profile.valuesOf(lens), profile.valuesOf(counts));
}

/** @return {?number} the value type that says how many samples a value is made of */
function countsOf({values, difference}, lens) {
  if (values[0].type !== 'samples') return null;
  if (difference) return lens < values.length / 2 ? 0 : values.length / 2;
  // Those of several events are counted together.
  return values.length === 2 ? 0 : null;
}

/** Samples come by chance, each for itself: n of them that weigh w together have a variance of n (w / n)². */
function countedVariances(weights, counts) {
  const variances = new Float64Array(weights.length);
  for (let row = 0; row < weights.length; row++) variances[row] = weights[row] * weights[row] / Math.max(counts[row], 1);
  return variances;
}

/**
 * @param {{value: number, variance: number}} part @param {{value: number, variance: number}} whole that it is a part of
 * @return {number} half the width of the interval around the part's share that holds the true one in 95 of 100 profiles
 */
export function boundOfShare(part, whole) {
  return DEVIATIONS_OF_95_PERCENT * Math.sqrt(varianceOfShare(part, whole));
}

/** @return {number} the variance of the part's share, with the arguments of boundOfShare() */
export function varianceOfShare(part, whole) {
  if (!(whole.value > 0)) return 0;
  const share = part.value / whole.value;
  const rest = Math.max(whole.variance - part.variance, 0);
  return ((1 - share) ** 2 * part.variance + share ** 2 * rest) / whole.value ** 2;
}
