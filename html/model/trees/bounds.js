// Sampling error of shares. Same formulas as agent/profile/analysis/share_bounds.h.

export const DEVIATIONS_OF_95_PERCENT = 1.96;

// Profile -> value type -> variances.
const known = new WeakMap();

/**
 * @param {import('../data/decode.js').Profile} profile @param {number} lens index of a value type
 * @return {?Float64Array} row -> variance of its value; null if not known
 */
export function rowVariances(profile, lens) {
  if (!known.has(profile)) known.set(profile, new Map());
  const ofLens = known.get(profile);
  if (!ofLens.has(lens)) ofLens.set(lens, computeVariances(profile, lens));
  return ofLens.get(lens);
}

/** Decodes the columns for rowVariances(), one per step. */
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

/** @return {?number} the value type with the number of samples */
function countsOf({values, difference}, lens) {
  if (values[0].type !== 'samples') return null;
  if (difference) return lens < values.length / 2 ? 0 : values.length / 2;
  // Samples of several events are counted together.
  return values.length === 2 ? 0 : null;
}

/** Samples are independent: n samples with a total weight of w have a variance of n (w / n)². */
function countedVariances(weights, counts) {
  const variances = new Float64Array(weights.length);
  for (let row = 0; row < weights.length; row++) variances[row] = weights[row] * weights[row] / Math.max(counts[row], 1);
  return variances;
}

/**
 * @param {{value: number, variance: number}} part @param {{value: number, variance: number}} whole  contains the part
 * @return {number} half the width of the 95 % confidence interval of the part's share
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
