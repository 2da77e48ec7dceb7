// Two profiles in one tree: what changed, and how much of it chance explains. The page's side of
// agent/profile/difference.h.

import {DEVIATIONS_OF_95_PERCENT, variancesOf, varianceOfShare} from './bounds.js';
import {CallTree} from './call_tree.js';

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
   * Shows another value, scale or width.
   * @param {import('./place.js').Place} place
   */
  show({lens, scale, width}) {
    const {profile} = this;
    const count = profile.header.values.length / 2;
    const selfs = SIDES.map((side) => profile.selfs[side * count + lens]);
    const variances = SIDES.map((side) => this.variancesOfSide(side * count, lens)).filter(Boolean);
    const isKnown = variances.length === 2;
    const columns = isKnown ? [...selfs, ...variances] : selfs;
    const sums = columns.map((column) => this.addUp(column));
    this.scale = scale;
    this.wholes = SIDES.map((side) => ({value: sums[side][0], variance: sums[side + 2]?.[0]}));
    // The variance of a sample that may have been met, and was not.
    this.units = this.wholes.map(({value, variance}) => isKnown && value > 0 ? (variance / value) ** 2 : 0);
    const widths = this.widthsOf(width, selfs);
    this.setColumns([widths, ...columns], [this.addUp(widths), ...sums]);
  }

  variancesOfSide(first, lens) {
    const {profile} = this;
    const [{type}] = profile.header.values;
    return type === 'samples' ? countedVariances(profile.selfs[first + lens], profile.selfs[first]) :
                                variancesOf(profile, first + lens);
  }

  widthsOf(width, [before, after]) {
    if (width !== 'both') return width === 'before' ? before : after;
    const [one, other] = this.scale === 'shares' ? this.wholes.map(({value}) => 0.5 / (value || 1)) : [0.5, 0.5];
    return before.map((value, node) => one * value + other * after[node]);
  }

  /** @param {number[]} values before, after @param {number[]} variances of them @return {Change} */
  changeOf(values, variances) {
    const [before, after] = this.scale === 'shares' ? SIDES.map((side) => values[side] / (this.wholes[side].value || 1)) :
                                                      values;
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
    return this.scale === 'shares' ? varianceOfShare({value, variance: own}, this.wholes[side]) : own;
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

  /** @return {{name: string, self: Change, total: Change}[]} of every method, once a stack */
  methods() {
    const {names, frameNames} = this.profile;
    const width = this.columns.length;
    const selfs = this.columns.map(() => new Float64Array(names.length));
    const totals = this.columns.map(() => new Float64Array(names.length));
    this.forEachOutermost((node, name, isOutermost) => {
      for (let column = 1; column < width; column++) {
        selfs[column][name] += this.columns[column][node];
        if (isOutermost) totals[column][name] += this.sums[column][node];
      }
    });
    const used = [...new Set(frameNames)];
    return used.map((name) => ({name: names[name], self: this.changeIn(selfs, name), total: this.changeIn(totals, name)}));
  }

  /** Calls `visit(node, name, whether no caller has this name)` for each node. */
  forEachOutermost(visit) {
    const {parents, frames, ends, profile} = this;
    const openUntil = new Uint32Array(profile.names.length);
    for (let node = 1; node < parents.length; node++) {
      const name = profile.frameNames[frames[node]];
      const isOutermost = node >= openUntil[name];
      if (isOutermost) openUntil[name] = ends[node];
      visit(node, name, isOutermost);
    }
  }
}

/** Samples come by chance, each for itself: n of them that weigh w together have a variance of n (w / n)². */
function countedVariances(weights, counts) {
  return weights.map((weight, node) => weight * weight / Math.max(counts[node], 1));
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
