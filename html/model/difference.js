// Two profiles in one tree: what changed, and how much of it chance explains. The page's side of
// agent/profile/difference.h.

import {DEVIATIONS_OF_95_PERCENT, rowVariances, varianceOfShare} from './bounds.js';
import {CallTree} from './call_tree.js';
import {addUp, sumRows} from './shape.js';
import {inSlices} from './slices.js';
import {sumOnce} from './sum_once.js';

// The columns behind the one that widths are of.
const BEFORE = 1, AFTER = 2, VARIANCE = 3;
const SIDES = [0, 1];

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
    const columns = [];
    const sums = [];
    for (const values of [...lenses.map((each) => profile.valuesOf(each)), ...(variances.length === 2 ? variances : [])]) {
      columns.push(yield* sumRows(shape, values, kept));
      sums.push(yield* addUp(shape.parents, columns.at(-1)));
    }
    const wholes = sight.wholes ?? SIDES.map((side) => ({value: sums[side][0], variance: sums[side + 2]?.[0]}));
    const parts = partsOfWidth(sight, wholes);
    const widths = [yield* addSides(columns, parts), yield* addSides(sums, parts)];
    return new DifferenceTree({...sight, wholes}, [widths[0], ...columns], [widths[1], ...sums]);
  }

  constructor(sight, columns, sums) {
    super(sight, columns, sums);
    this.scale = sight.scale;
    this.wholes = sight.wholes;
    this.divisors = divisorsOf(this.header);
    this.known = {columns, sums};
    // The variance of a sample that may have been met, and was not.
    this.units = this.wholes.map(({value, variance}) => variance !== undefined && value > 0 ? (variance / value) ** 2 : 0);
  }

  * reshaped(shape) { return yield* DifferenceTree.of({...this.sight, shape}); }

  /** @return {number[]} all there is before and after; of several runs or operations what one of them has */
  get amounts() { return this.wholes.map(({value}, side) => value / this.divisors[side]); }

  get columns() { return this.known.columns; }

  get sums() { return this.known.sums; }

  /** All is known from the beginning. */
  * learnVariances() { return null; }

  /** They are of the sides, not of the widths. */
  get variances() { return null; }

  get selfVariances() { return null; }

  get rowValues() {
    const after = this.header.values.length / 2;
    return [this.profile.valuesOf(this.lens), this.profile.valuesOf(after + this.lens)];
  }

  /** @param {number[]} values before, after @param {number[]} variances of them @return {Change} */
  changeOf(values, variances) {
    const wholes = this.scale === 'shares' ? this.wholes.map(({value}) => value || 1) : this.divisors;
    const [before, after] = SIDES.map((side) => values[side] / wholes[side]);
    const change = after - before;
    let bound = null;
    if (variances[0] !== undefined) {
      const sum = SIDES.reduce((all, side) => all + this.varianceOf(values[side], variances[side], side), 0);
      bound = DEVIATIONS_OF_95_PERCENT * Math.sqrt(sum);
    }
    const word = values[0] === 0 && values[1] > 0 ? 'new' :
        values[1] === 0 && values[0] > 0          ? 'vanished' :
        change === 0                              ? 'same' :
        change > 0                                ? 'grew' :
                                                    'shrank';
    return {before, after, change, bound, isNoise: Math.abs(change) <= (bound ?? 0), word};
  }

  varianceOf(value, variance, side) {
    const own = variance + this.units[side];
    return this.scale === 'shares' ? varianceOfShare({value, variance: own}, this.wholes[side]) : own / this.divisors[side] ** 2;
  }

  /** @param {CallTree|import('./caller_tree.js').CallerTree} tree this one, or this one turned over */
  totalChange(node, tree = this) { return this.changeIn(tree.sums, node); }

  selfChange(node) { return this.changeIn(this.columns, node); }

  changeIn(columns, node) {
    const at = (column) => columns[column]?.[node];
    return this.changeOf([at(BEFORE), at(AFTER)], [at(VARIANCE), at(VARIANCE + 1)]);
  }

  /** @param {import('./search.js').StackMatches} matches @return {Change} of the stacks that match */
  changeOfMatches({values}) { return this.changeOf(values.slice(BEFORE, VARIANCE), values.slice(VARIANCE)); }

  /** @return {Generator} of {name: string, frame: number, self: Change, total: Change}[]: every method, once a stack */
  * methods() {
    const {table} = this;
    const {selfs, totals, isUsed} = yield* sumOnce(this, (frame) => frame, table.count);
    const used = [...isUsed.keys()].filter((frame) => isUsed[frame]);
    return used.map((frame) => (
        {name: table.nameOf(frame), frame, self: this.changeIn(selfs, frame), total: this.changeIn(totals, frame)}));
  }
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
