// Two profiles in one tree: what changed, and how much of it chance explains. The page's side of
// agent/profile/difference.h.

import {DEVIATIONS_OF_95_PERCENT, rowVariances, varianceOfShare} from './bounds.js';
import {CallTree} from './call_tree.js';
import {boundOfMeans, runsOf, valuesOfRun} from './run_spread.js';
import {addUp, sumRows} from './shape.js';
import {inSlices} from './slices.js';

// The columns behind the one that widths are of: both sides' values, their variances if known, and each run's values.
const BEFORE = 1;
const SIDES = [0, 1];

/** Among those columns. */
function firstRunColumn(isVarianceKnown) { return isVarianceKnown ? 4 : 2; }

/**
 * @typedef {Object} Change
 * @property {number} before @property {number} after  shares of 1, or amounts
 * @property {number} change @property {?number} bound  95 of 100 pairs of profiles have the true change so near; null:
 *     not known
 * @property {boolean} isNoise  chance explains it
 * @property {'new'|'vanished'|'grew'|'shrank'|'same'} word
 */

/** The call tree of both; a frame is as wide as the mean of before and after, so that what has vanished is seen, too. */
export class DifferenceTree extends CallTree {
  /**
   * @param {import('./call_tree.js').Sight} sight, also scale: 'shares' or 'amounts', width: 'both', 'before' or 'after',
   *     and wholes, when they are not this tree's own
   * @return {Generator} of the tree
   */
  static* of(sight) {
    const {profile, shape, lens, kept} = sight;
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
    const wholes = sight.wholes ?? SIDES.map((side) => ({
      value: sums[side][0],
      variance: isVarianceKnown ? sums[side + 2][0] : undefined,
      runs: sums.slice(firstRun).filter((_, run) => runs[run].side === side).map((sum) => sum[0]),
    }));
    const parts = partsOfWidth(sight, wholes);
    const widths = [yield* addSides(columns, parts), yield* addSides(sums, parts)];
    return new DifferenceTree({...sight, wholes}, [widths[0], ...columns], [widths[1], ...sums]);
  }

  constructor(sight, columns, sums) {
    super(sight, sums[0]);
    this.scale = sight.scale;
    this.wholes = sight.wholes;
    this.divisors = divisorsOf(this.header);
    this.learnt = {columns, sums};
    this.isVarianceKnown = this.wholes.every(({variance}) => variance !== undefined);
    // The variance of a sample that may have been met, and was not.
    this.units = this.wholes.map(({value, variance}) => this.isVarianceKnown && value > 0 ? (variance / value) ** 2 : 0);
  }

  * reshaped(shape) { return yield* DifferenceTree.of({...this.sight, shape}); }

  /** @return {number[]} all there is before and after; of several runs or operations what one of them has */
  get amounts() { return this.wholes.map(({value}, side) => value / this.divisors[side]); }

  /** They are of the sides, not of the widths. */
  variancesAt() { return null; }

  get rowValues() {
    const after = this.header.values.length / 2;
    return [this.profile.valuesOf(this.lens), this.profile.valuesOf(after + this.lens)];
  }

  /** @param {number[]} values  of the columns behind the widths' @return {Change} */
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

  /** What the values of a side are divided by. */
  unitOf(side) { return this.scale === 'shares' ? this.wholes[side].value || 1 : this.divisors[side]; }

  /** What samples were taken is chance, and how a run happened to go where there are several; null: neither is known. */
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

  /** @param {CallTree|import('./caller_tree.js').CallerTree} tree this one, or this one turned over */
  totalChange(node, tree = this) { return this.changeIn(tree.sums, node); }

  selfChange(node) { return this.changeIn(this.columns, node); }

  changeIn(columns, node) { return this.changeOf(columns.slice(BEFORE).map((column) => column[node])); }

  /** @param {import('./search.js').StackMatches} matches @return {Change} of the stacks that match */
  changeOfMatches({values}) { return this.changeOf(values.slice(BEFORE)); }

  /** @return {{self: Change, total: Change}} */
  entryAt(selfs, totals, key) { return {self: this.changeIn(selfs, key), total: this.changeIn(totals, key)}; }
}

/** How many runs or operations the amounts of each side are of. */
function divisorsOf({difference}) { return difference.sides.map(({divisor}) => divisor > 0 ? divisor : 1); }

/** @return {number[]} how much of each side goes into a width */
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

/** How strongly a change is shown: 0 for what chance explains, else 1 to 4 by how much of the larger side it is. */
export const STRENGTHS = 4;

/** @param {Change} change @return {number} */
export function strengthOf({before, after, change, isNoise}) {
  if (isNoise) return 0;
  const relative = Math.abs(change) / Math.max(before, after);
  return relative < 0.1 ? 1 : relative < 0.3 ? 2 : relative < 0.6 ? 3 : STRENGTHS;
}

/** @param {{self: Change, total: Change}} method @return {boolean} whether chance explains all of it */
export function isAllNoise({self, total}) { return self.isNoise && total.isNoise; }
