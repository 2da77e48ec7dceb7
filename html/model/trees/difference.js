// Two profiles in one tree: changes and their error bounds. Same formulas as
// agent/profile/analysis/difference.h.

import {DEVIATIONS_OF_95_PERCENT, rowVariances, varianceOfShare} from './bounds.js';
import {CallTree} from './call_tree.js';
import {boundOfMeans, runsOf, valuesOfRun} from './welch_bound.js';
import {addUp, sumRows} from './shape.js';
import {inSlices} from '../slices.js';

// Columns after the first, which gives widths: values of both sides, their variances if known, values of each run.
const BEFORE = 1;
const SIDES = [0, 1];

/** Returns the index of the first run among these columns. */
function firstRunColumn(isVarianceKnown) { return isVarianceKnown ? 4 : 2; }

/**
 * @typedef {Object} Change
 * @property {number} before @property {number} after  shares of 1, or amounts
 * @property {number} change @property {?number} bound  half width of the 95 % confidence interval; null:
 *     not known
 * @property {boolean} isNoise  the change is within its bound
 * @property {'new'|'vanished'|'grew'|'shrank'|'same'} word
 */

/** Call tree of both profiles. By default widths are the mean of before and after, which shows vanished frames, too. */
export class DifferenceTree extends CallTree {
  /**
   * @param {import('./call_tree.js').TreeInput} input, also scale: 'shares' or 'amounts', width: 'both', 'before' or 'after',
   *     and wholes, if they are not those of this tree
   * @return {Generator} of the tree
   */
  static* of(input) {
    const {profile, shape, lens, kept} = input;
    const lenses = SIDES.map((side) => side * profile.header.values.length / 2 + lens);
    const variances = lenses.map((each) => rowVariances(profile, each)).filter(Boolean);
    const isVarianceKnown = variances.length === 2;
    const runs = runsOf(profile);
    const rows = function* () {
      yield* lenses.map((each) => profile.valuesOf(each));
      if (isVarianceKnown) yield* variances;
      for (const run of runs) yield valuesOfRun(profile, run, profile.valuesOf(lenses[run.side]));
    };
    const columns = [];
    const sums = [];
    for (const values of rows()) {
      columns.push(yield* sumRows(shape, values, kept));
      sums.push(yield* addUp(shape.parents, columns.at(-1)));
    }
    const firstRun = firstRunColumn(isVarianceKnown);
    const wholes = input.wholes ?? SIDES.map((side) => ({
      value: sums[side][0],
      variance: isVarianceKnown ? sums[side + 2][0] : undefined,
      runs: sums.slice(firstRun).filter((_, run) => runs[run].side === side).map((sum) => sum[0]),
    }));
    const parts = partsOfWidth(input, wholes);
    const widths = [yield* addSides(columns, parts), yield* addSides(sums, parts)];
    return new DifferenceTree({...input, wholes}, [widths[0], ...columns], [widths[1], ...sums]);
  }

  constructor(input, columns, sums) {
    super(input, sums[0]);
    this.scale = input.scale;
    this.wholes = input.wholes;
    this.divisors = divisorsOf(this.header);
    this.computed = {columns, sums};
    this.isVarianceKnown = this.wholes.every(({variance}) => variance !== undefined);
    // Variance of one sample: a frame without samples could have had one.
    this.units = this.wholes.map(({value, variance}) => this.isVarianceKnown && value > 0 ? (variance / value) ** 2 : 0);
  }

  * reshaped(shape) { return yield* DifferenceTree.of({...this.input, shape}); }

  /** @return {number[]} totals before and after; per run or operation if there are several */
  get amounts() { return this.wholes.map(({value}, side) => value / this.divisors[side]); }

  /** Widths have no variances; the sides do. */
  variancesAt() { return null; }

  get rowValues() {
    const after = this.header.values.length / 2;
    return [this.profile.valuesOf(this.lens), this.profile.valuesOf(after + this.lens)];
  }

  /** @param {number[]} values  of the columns after the first @return {Change} */
  changeOf(values) {
    const [before, after] = SIDES.map((side) => values[side] / this.unitOf(side));
    const change = after - before;
    const bound = this.boundOf(values);
    const word = values[0] === 0 && values[1] > 0 ? 'new' :
        values[1] === 0 && values[0] > 0          ? 'vanished' :
        change === 0                              ? 'same' :
        change > 0                                ? 'grew' :
                                                    'shrank';
    return {before, after, change, bound, isNoise: Math.abs(change) <= (bound ?? 0), word};
  }

  /** Returns the divisor for values of a side. */
  unitOf(side) { return this.scale === 'shares' ? this.wholes[side].value || 1 : this.divisors[side]; }

  /** Combines the sampling error and, with several runs, the differences between runs; null: neither is known. */
  boundOf(values) {
    const bounds = [];
    if (this.isVarianceKnown) {
      const sum = SIDES.reduce((all, side) => all + this.varianceOf(values[side], values[side + 2], side), 0);
      bounds.push(DEVIATIONS_OF_95_PERCENT * Math.sqrt(sum));
    }
    if (this.wholes[0].runs.length > 0) bounds.push(boundOfMeans(...this.runsIn(values)));
    return bounds.length > 0 ? Math.max(...bounds) : null;
  }

  /** @return {number[][]} side -> run -> its share or amount */
  runsIn(values) {
    let column = firstRunColumn(this.isVarianceKnown);
    return this.wholes.map(({runs}, side) => runs.map((whole) => {
      const unit = this.scale === 'shares' ? whole || 1 : this.divisors[side] / runs.length;
      return values[column++] / unit;
    }));
  }

  varianceOf(value, variance, side) {
    const own = variance + this.units[side];
    return this.scale === 'shares' ? varianceOfShare({value, variance: own}, this.wholes[side]) : own / this.divisors[side] ** 2;
  }

  /** @param {CallTree|import('./caller_tree.js').CallerTree} tree this tree or its inverted tree */
  totalChange(node, tree = this) { return this.changeIn(tree.sums, node); }

  selfChange(node) { return this.changeIn(this.columns, node); }

  changeIn(columns, node) { return this.changeOf(columns.slice(BEFORE).map((column) => column[node])); }

  /** @param {import('../search.js').StackMatches} matches @return {Change} of the matching stacks */
  changeOfMatches({values}) { return this.changeOf(values.slice(BEFORE)); }

  /** @return {{self: Change, total: Change}} */
  entryAt(selfs, totals, key) { return {self: this.changeIn(selfs, key), total: this.changeIn(totals, key)}; }
}

/** Returns the number of runs or operations of each side. */
function divisorsOf({difference}) { return difference.sides.map(({divisor}) => divisor > 0 ? divisor : 1); }

/** @return {number[]} weight of each side in a width */
function partsOfWidth({profile, scale, width}, wholes) {
  if (width !== 'both') return width === 'before' ? [1, 0] : [0, 1];
  const units = scale === 'shares' ? wholes.map(({value}) => value || 1) : divisorsOf(profile.header);
  return units.map((unit) => 0.5 / unit);
}

function* addSides([before, after], [one, other]) {
  const widths = new Float64Array(before.length);
  yield* inSlices(widths.length, (from, to) => {
    for (let node = from; node < to; node++) widths[node] = one * before[node] + other * after[node];
  });
  return widths;
}

/** Number of shades of a change. 0: within its bound, else 1 to 4 by its share of the larger side. */
export const STRENGTHS = 4;

/** @param {Change} change @return {number} */
export function strengthOf({before, after, change, isNoise}) {
  if (isNoise) return 0;
  const relative = Math.abs(change) / Math.max(before, after);
  return relative < 0.1 ? 1 : relative < 0.3 ? 2 : relative < 0.6 ? 3 : STRENGTHS;
}

/** @param {{self: Change, total: Change}} method @return {boolean} whether both changes are within their bounds */
export function isAllNoise({self, total}) { return self.isNoise && total.isNoise; }
