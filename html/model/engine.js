// From a profile to what is looked at: transforms make its shape, filters say which rows count, a lens what they weigh. Shapes
// are kept, so that each step is done when it has changed.

import {CallTree} from './call_tree.js';
import {DifferenceTree} from './difference.js';
import {keptRows, keptValues} from './filters.js';
import {FrameTable} from './frame_table.js';
import {GroupedTree} from './grouped_tree.js';
import {groupsOf} from './grouping.js';
import {placeNodes} from './merging.js';
import {renaming} from './rules.js';
import {addUp, NOWHERE, Shape, subtreeEnds, sumRows} from './shape.js';
import {inSlices} from './slices.js';
import {dropsRows, problemOf, transform} from './transforms.js';

/**
 * @typedef {Object} Request  all but the lens may be absent
 * @property {number} lens
 * @property {import('./filters.js').Filters=} filters
 * @property {import('./transforms.js').Transform[]=} transforms  those that cannot be applied are left out
 * @property {{kinds: boolean=, lines: boolean=}=} parted  what parts frames of one name
 * @property {('shares'|'amounts')=} scale @property {('both'|'before'|'after')=} width  of a difference
 */

export class Engine {
  /** @param {import('./decode.js').Profile} profile */
  constructor(profile) {
    this.profile = profile;
    // By what parts frames: their table, the shape without transforms, and those of the last list of transforms.
    this.bases = new Map();
    // Of the last picture: the shape without groups, the label, and the groups of it.
    this.grouped = null;
  }

  /** @param {Request} request @return {Generator} of a CallTree, or of a DifferenceTree */
  * derive(request) {
    const {profile} = this;
    const {table, shape} = yield* this.shapeOf(request);
    this.grouped = null;
    const kept = yield* keptRows(profile, request.filters);
    const sight = {profile, table, shape, lens: request.lens, kept};
    if (!profile.header.difference) return yield* CallTree.of(sight);
    return yield* DifferenceTree.of({...sight, scale: request.scale, width: request.width});
  }

  /**
   * @param {Request} request @return {Generator} of what is enough for a picture: where stacks are grouped at last, a tree that makes
   *     what is looked at, else that of derive()
   */
  * picture(request) {
    const {profile} = this;
    const steps = this.stepsOf(request);
    const last = steps.at(-1);
    if (last?.type !== 'group' || profile.header.difference) return yield* this.derive(request);
    const {table, shape} = yield* this.shapeOf({...request, transforms: steps.slice(0, -1)});
    if (this.grouped?.shape !== shape || this.grouped.key !== last.what) {
      this.grouped = {shape, key: last.what, groups: yield* groupsOf(shape, profile, table, last.what)};
    }
    const kept = yield* keptRows(profile, request.filters);
    return yield* GroupedTree.of({profile, table, shape, lens: request.lens, kept}, this.grouped.groups);
  }

  stepsOf({transforms = []}) {
    return transforms.filter((step) => step.enabled !== false && problemOf(step, this.profile) === '');
  }

  /** @param {boolean} remembers  whether it is about what is looked at, and each step is not to be taken again */
  * shapeOf(request, remembers = true) {
    const base = yield* this.baseOf(request.parted ?? {});
    const wanted = this.stepsOf(request);
    const done = [];
    let {shape} = base;
    for (const step of wanted) {
      const known = base.done[done.length];
      const key = JSON.stringify([step.type, step.what, step.replacement, step.gaps]);
      const isKnown = known?.key === key && known.from === shape;
      const made = isKnown ? known.shape : yield* transform(shape, {profile: this.profile, table: base.table}, step);
      done.push({key, from: shape, shape: made});
      shape = made;
    }
    if (remembers) base.done = done;
    return {table: base.table, shape};
  }

  * baseOf({kinds = false, lines = false}) {
    const key = `${kinds} ${lines}`;
    if (!this.bases.has(key)) {
      const table = new FrameTable(this.profile, {kinds, lines});
      const shape = yield* this.makeBase(table);
      this.bases.set(key, {table, shape, done: []});
    }
    return this.bases.get(key);
  }

  /** The profile's tree, of which frames that read alike are one. */
  * makeBase(table) {
    const {profile} = this;
    const whole = yield* this.wholeShape();
    if (table.isIdentity) return whole;
    const shape = yield* placeNodes(whole, table.ranks, renaming(table, table.heads));
    const last = profile.header.values.length - 1;
    const totals = yield* addUp(whole.parents, yield* sumRows(whole, profile.valuesOf(last), null));
    shape.looks = yield* heaviestFrames(whole, shape, totals);
    return shape;
  }

  * wholeShape() {
    const {parents, frames, rowNodes} = this.profile;
    this.whole ??= new Shape({parents, frames, ends: yield* subtreeEnds(parents), rowNodes});
    return this.whole;
  }

  /**
   * @param {Request} request
   * @return {Generator} of {step_ns, count, totals: step -> value of the lens, whatever the filter of time}; null where the
   *     profile knows no time
   */
  * timeline(request) {
    const {header, rowTimes} = this.profile;
    if (!header.time) return null;
    const {step_ns: step, count} = header.time;
    const totals = new Float64Array(count);
    yield* this.forKept({...request, filters: {...request.filters, time: null}}, (row, value) => {
      if (rowTimes[row] > 0) totals[rowTimes[row] - 1] += value;
    });
    return {step_ns: step, count, totals};
  }

  /**
   * @param {Request} request
   * @return {Generator} of {key, unit, values: {value, total}[]}[], largest first; what is kept of a label by its own filter
   *     does not count for it
   */
  * labelTable(request) {
    const {labels, labelSets} = this.profile;
    const filters = request.filters?.labels ?? {};
    const isFiltered = (key) => keptValues(filters, key).length > 0;
    const common = labels.some(({key}) => !isFiltered(key)) ? yield* this.totalsOfSets(request) : null;
    const tables = [];
    for (const [label, {key, unit}] of labels.entries()) {
      const others = {...request.filters, labels: {...filters, [key]: []}};
      const totals = isFiltered(key) ? yield* this.totalsOfSets({...request, filters: others}) : common;
      tables.push({key, unit, values: valuesOfLabel(labelSets, label, totals)});
    }
    return tables;
  }

  * totalsOfSets(request) {
    const {labelSets, rowSets} = this.profile;
    const totals = new Float64Array(labelSets.length);
    yield* this.forKept(request, (row, value) => {
      totals[rowSets ? rowSets[row] : 0] += value;
    });
    return totals;
  }

  /** Calls `add(row, value)` for each row that transforms and filters leave. */
  * forKept(request, add) {
    const steps = this.stepsOf(request);
    const last = steps.findLastIndex((step) => dropsRows(step));
    const {shape: {rowNodes}} = yield* this.shapeOf({...request, transforms: steps.slice(0, last + 1)}, false);
    const kept = yield* keptRows(this.profile, request.filters);
    for (const values of this.valuesOf(request.lens)) {
      yield* inSlices(rowNodes.length, (from, to) => {
        for (let row = from; row < to; row++) {
          if (rowNodes[row] !== NOWHERE && (kept === null || kept[row] !== 0)) add(row, values[row]);
        }
      });
    }
  }

  /** Of a difference, before and after. */
  valuesOf(lens) {
    const {header: {difference, values}, valuesOf} = this.profile;
    return difference ? [valuesOf(lens), valuesOf(values.length / 2 + lens)] : [valuesOf(lens)];
  }
}

function valuesOfLabel(labelSets, label, totals) {
  const sums = new Map();
  labelSets.forEach((set, i) => {
    const value = set.find((one) => one.label === label)?.value ?? null;
    sums.set(value, (sums.get(value) ?? 0) + totals[i]);
  });
  const all = [...sums].map(([value, total]) => ({value, total})).filter(({value, total}) => value !== null || total > 0);
  return all.sort((a, b) => b.total - a.total);
}

/** @return {Generator} of a Uint32Array: node of the made shape -> of what it is made of, the frame with the most */
function* heaviestFrames(whole, shape, totals) {
  const {places} = shape.origin;
  const looks = shape.frames.slice();
  const most = new Float64Array(shape.size);
  yield* inSlices(whole.size, (from, to) => {
    for (let node = Math.max(from, 1); node < to; node++) {
      if (totals[node] <= most[places[node]]) continue;
      most[places[node]] = totals[node];
      looks[places[node]] = whole.frames[node];
    }
  });
  return looks;
}
