// Derives call trees from a profile: transforms make the shape, filters select rows, the lens selects their value. Shapes are cached,
// so that only changed steps run again.

import {busyRows, isWall} from './busy.js';
import {CallTree} from './call_tree.js';
import {DifferenceTree} from './difference.js';
import {keepEnds} from './ends.js';
import {keptRows, keptValues} from './filters.js';
import {FrameTable} from '../data/frame_table.js';
import {GroupedTree} from './grouped_tree.js';
import {groupsOf} from './grouping.js';
import {applyRule} from '../transforms/merging.js';
import {renaming} from '../transforms/rules.js';
import {addUp, NOWHERE, Shape, subtreeEnds, sumRows} from './shape.js';
import {inSlices} from '../slices.js';
import {dropsRows, problemOf, transform} from '../transforms/transforms.js';

/** More steps than the strip can show. */
const MOST_STEPS = 1 << 16;

/**
 * @typedef {Object} Request  all but lens are optional
 * @property {number} lens
 * @property {import('./filters.js').Filters=} filters
 * @property {import('../transforms/transforms.js').Transform[]=} transforms  those that cannot be applied are skipped
 * @property {boolean=} busy  of wall-clock time: without threads that wait for work, and threads of the JVM
 * @property {{kinds: boolean=, lines: boolean=}=} parted  how frames of one name are split
 * @property {('shares'|'amounts')=} scale @property {('both'|'before'|'after')=} width  of a difference
 */

export class Engine {
  /** @param {import('../data/decode.js').Profile} profile */
  constructor(profile) {
    this.profile = profile;
    // Split -> table of frames, shape without transforms, and shapes after each transform of the last list.
    this.bases = new Map();
    // Of the last picture: the shape without groups, the label, and its groups.
    this.grouped = null;
  }

  /** @param {Request} request @return {Generator} of a CallTree, or of a DifferenceTree */
  * derive(request) {
    const {profile} = this;
    const {table, shape} = yield* this.shapeOf(request);
    this.grouped = null;
    const input = {profile, table, shape, lens: request.lens, kept: yield* this.keptRows(request, shape, table)};
    if (!profile.header.difference) return yield* CallTree.of(input);
    return yield* DifferenceTree.of({...input, scale: request.scale, width: request.width});
  }

  /**
   * @param {Request} request @return {Generator} of a tree that is sufficient for a picture: if the last transform groups stacks, a tree
   *     that creates nodes on demand, else that of derive()
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
    const kept = yield* this.keptRows(request, shape, table);
    return yield* GroupedTree.of({profile, table, shape, lens: request.lens, kept}, this.grouped.groups);
  }

  * keptRows({filters = {}, lens, busy = false}, shape, table) {
    const kept = yield* keepEnds(shape, table, filters.ends ?? [], yield* keptRows(this.profile, filters));
    const {rows} = busy ? yield* this.busyRows(lens) : {rows: null};
    if (rows === null || kept === null) return rows ?? kept;
    return kept.map((isKept, row) => isKept & rows[row]);
  }

  /**
   * @return {Generator} of {rows, hidden}: row -> 1 if its thread of the program has something to do, and the share of the value that the other
   *     rows have; null and 0 if the value is not wall-clock time, or if all threads are idle
   */
  * busyRows(lens) {
    this.busy ??= new Map();
    if (!this.busy.has(lens)) this.busy.set(lens, isWall(this.profile.header, lens) ? yield* this.findBusyRows(lens) : {rows: null, hidden: 0});
    return this.busy.get(lens);
  }

  * findBusyRows(lens) {
    const rows = this.allBusyRows ??= yield* busyRows(this.profile);
    const values = this.profile.valuesOf(lens);
    const sums = [0, 0];
    yield* inSlices(rows.length, (from, to) => {
      for (let row = from; row < to; row++) sums[rows[row]] += values[row];
    });
    const [idle, busy] = sums;
    return idle === 0 || busy === 0 ? {rows: null, hidden: 0} : {rows, hidden: idle / (idle + busy)};
  }

  stepsOf({transforms = []}) {
    return transforms.filter((step) => step.enabled !== false && problemOf(step, this.profile) === '');
  }

  /** @param {boolean} remembers  whether to cache the shape of each step */
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

  /** The profile's tree, with frames of the same name merged. */
  * makeBase(table) {
    const {profile} = this;
    const whole = yield* this.wholeShape();
    if (table.isIdentity) return whole;
    const shape = yield* applyRule(whole, table.ranks, renaming(table, table.heads));
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
   * @return {Generator} of {step_ns, count, totals: step -> value of the lens, ignoring the time filter}; null if the
   *     profile has no times
   */
  * timeline(request) {
    const {header, rowTimes} = this.profile;
    if (!header.time) return null;
    const {step_ns: step} = header.time;
    const count = stepsOf(header);
    const totals = new Float64Array(count);
    yield* this.forKept({...request, filters: {...request.filters, time: null}}, (row, value) => {
      if (rowTimes[row] > 0) totals[rowTimes[row] - 1] += value;
    });
    return {step_ns: step, count, totals};
  }

  /**
   * @param {Request} request
   * @return {Generator} of {key, unit, values: {value, total}[]}[], largest first; the filter of a label does not apply to its
   *     own values
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

  /** Calls `add(row, value)` for each row that transforms and filters keep. */
  * forKept(request, add) {
    const steps = this.stepsOf(request);
    // Which frames are innermost depends on all transforms.
    const last = request.filters?.ends?.length > 0 ? steps.length : steps.findLastIndex((step) => dropsRows(step)) + 1;
    const {table, shape} = yield* this.shapeOf({...request, transforms: steps.slice(0, last)}, false);
    const kept = yield* this.keptRows(request, shape, table);
    const {rowNodes} = shape;
    for (const values of this.valuesOf(request.lens)) {
      yield* inSlices(rowNodes.length, (from, to) => {
        for (let row = from; row < to; row++) {
          if (rowNodes[row] !== NOWHERE && (kept === null || kept[row] !== 0)) add(row, values[row]);
        }
      });
    }
  }

  /** Returns the column of a value; for a difference those before and after. */
  valuesOf(lens) {
    const {header: {difference, values}, valuesOf} = this.profile;
    return difference ? [valuesOf(lens), valuesOf(values.length / 2 + lens)] : [valuesOf(lens)];
  }
}

/** @return {number} number of time steps, including those after the last sample */
function stepsOf({time: {step_ns: step, count}, duration_ns: duration = 0}) {
  const steps = Math.ceil(duration / step);
  return steps > count && steps <= MOST_STEPS ? steps : count;
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

/** @return {Generator} of a Uint32Array: node of the new shape -> the heaviest of the frames merged into it */
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
