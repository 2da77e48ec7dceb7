// Error bounds from several runs of a program. Same formulas as agent/profile/analysis/welch_bound.h.

import {DEVIATIONS_OF_95_PERCENT} from './bounds.js';

// Two-sided quantiles of Student's t, by degrees of freedom.
const QUANTILES_OF_95_PERCENT = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228];

// Label for the runs of a difference: "before 1", "after 2".
const LABEL = 'run';
const SIDES = ['before', 'after'];

/**
 * @typedef {Object} Run
 * @property {number} side  0: before, 1: after
 * @property {Uint8Array} sets  label set -> 1 if its samples are of this run
 */

/**
 * @param {import('../data/decode.js').Profile} profile  a difference
 * @return {Run[]} runs before, then runs after; none if bounds do not come from runs
 */
export function runsOf({header, labels, labelSets}) {
  if (header.difference.noise !== 'runs') return [];
  // A program's own label of the same key precedes it.
  const names = labelSets.map((set) => set.findLast(({label}) => labels[label].key === LABEL)?.value);
  return header.difference.sides.flatMap(({runs}, side) => Array.from({length: runs}, (_, run) => (
      {side, sets: Uint8Array.from(names, (name) => name === `${SIDES[side]} ${run + 1}` ? 1 : 0)})));
}

/** @return {Float64Array} row -> its value if it is of the run, else 0 */
export function valuesOfRun({rowSets}, {sets}, values) {
  return values.map((value, row) => sets[rowSets ? rowSets[row] : 0] === 1 ? value : 0);
}

/**
 * @param {number[]} before @param {number[]} after  at least two runs each
 * @return {number} 95 % bound of the difference of the means (Welch's t-test)
 */
export function boundOfMeans(before, after) {
  const [one, other] = [before, after].map(varianceOfMean);
  const both = one + other;
  if (both <= 0) return 0;
  const freedom = both ** 2 / (one ** 2 / (before.length - 1) + other ** 2 / (after.length - 1));
  return quantile(freedom) * Math.sqrt(both);
}

function varianceOfMean(runs) {
  const mean = runs.reduce((sum, run) => sum + run, 0) / runs.length;
  const squares = runs.reduce((sum, run) => sum + (run - mean) ** 2, 0);
  return squares / (runs.length - 1) / runs.length;
}

/** Interpolates linearly in 1 / freedom; infinite freedom is the normal distribution. */
function quantile(freedom) {
  const known = QUANTILES_OF_95_PERCENT;
  const low = Math.min(Math.floor(freedom), known.length);
  if (low === 0) return known[0];
  const atLow = known[low - 1];
  const [inverseOfHigh, atHigh] = low === known.length ? [0, DEVIATIONS_OF_95_PERCENT] : [1 / (low + 1), known[low]];
  return atLow + (1 / low - 1 / freedom) / (1 / low - inverseOfHigh) * (atHigh - atLow);
}
