// The call tree: callers above, callees below. CallerTree (caller_tree.js) has the same interface for layout and views: root, parents,
// frames, totals, variancesAt, sums, firstChild, nextSibling, table, nameOf, lookOf. Siblings have ascending numbers, in the order of
// their names; those without value are skipped.

import {readVariances, rowVariances} from './bounds.js';
import {families} from '../data/kinds.js';
import {partsOf} from './parts.js';
import {addUp, addUpInPlace, NOWHERE, sumRows} from './shape.js';
import {inSlices} from '../slices.js';

/**
 * @typedef {Object} TreeInput  source of a call tree
 * @property {import('../data/decode.js').Profile} profile
 * @property {import('../data/frame_table.js').FrameTable} table
 * @property {import('./shape.js').Shape} shape
 * @property {number} lens  index of the value type
 * @property {?Uint8Array} kept  row -> 1 if filters keep it; null: all rows
 */

export class CallTree {
  /** @param {TreeInput} input @param {Float64Array} totals  node -> value including callees, which gives widths */
  constructor(input, totals) {
    const {profile, table, shape, lens, kept} = input;
    this.input = input;
    this.profile = profile;
    this.header = profile.header;
    this.table = table;
    this.shape = shape;
    this.lens = lens;
    this.kept = kept;
    this.root = 0;
    this.parents = shape.parents;
    this.frames = shape.frames;
    this.ends = shape.ends;
    this.totals = totals;
    // {columns, sums} of computeColumns(); null before.
    this.computed = null;
  }

  /** @param {TreeInput} input @return {Generator} of the tree */
  static* of(input) {
    const {profile, shape, lens, kept} = input;
    const selfs = yield* sumRows(shape, profile.valuesOf(lens), kept);
    return new CallTree(input, yield* addUpInPlace(shape.parents, selfs));
  }

  /** @return {Generator} of a tree of the same values and another shape */
  * reshaped(shape) { return yield* CallTree.of({...this.input, shape}); }

  get valueType() { return this.header.values[this.lens]; }

  /** @return {?{self: number, total: number}} variances of a node's values; null if not known */
  variancesAt(node) {
    this.variancesOf ??= new Map();
    if (!this.variancesOf.has(node)) this.variancesOf.set(node, this.sumVariances(node));
    return this.variancesOf.get(node);
  }

  sumVariances(node) {
    const variances = rowVariances(this.profile, this.lens);
    if (variances === null) return null;
    const {shape: {rowNodes}, ends, kept} = this;
    const sum = {self: 0, total: 0};
    for (let row = 0; row < rowNodes.length; row++) {
      const place = rowNodes[row];
      if (place < node || place >= ends[node] || (kept !== null && kept[row] === 0)) continue;
      sum.total += variances[row];
      if (place === node) sum.self += variances[row];
    }
    return sum;
  }

  /** Returns the self value of a node. */
  selfAt(node) {
    const {totals, ends} = this;
    let self = totals[node];
    for (let child = node + 1; child < ends[node]; child = ends[child]) self -= totals[child];
    return self;
  }

  /** Computes `columns` and `sums`, which not every view needs. Must run before they are used. */
  * computeColumns() {
    if (this.computed) return;
    const {profile, lens, shape, kept} = this;
    const columns = [yield* sumRows(shape, profile.valuesOf(lens), kept)];
    const sums = [this.totals];
    yield* readVariances(profile, lens);
    const variances = rowVariances(profile, lens);
    yield;
    if (variances) {
      columns.push(yield* sumRows(shape, variances, kept));
      sums.push(yield* addUp(shape.parents, columns[1]));
    }
    this.computed = {columns, sums};
  }

  /** Node -> self value, and its variance if known. */
  get columns() { return this.computed.columns; }

  /** Node -> value including callees, and its variance if known. */
  get sums() { return this.computed?.sums ?? [this.totals]; }

  /**
   * @param {Float64Array[]} selfs @param {Float64Array[]} totals  as `columns` and `sums`, or sums of them by some key
   * @return {{self: number, total: number, selfVariance: ?number, totalVariance: ?number}} null if not known
   */
  entryAt(selfs, totals, key) {
    const [[self, selfVariance = null], [total, totalVariance = null]] = [selfs, totals].map((sums) => sums.map((sum) => sum[key]));
    return {self, total, selfVariance, totalVariance};
  }

  /** @return {Float64Array[]} row -> value, for partsOf() */
  get rowValues() { return [this.profile.valuesOf(this.lens)]; }

  nameOf(node) { return this.table.nameOf(this.frames[node]); }

  /** @return {number} the frame that gives the node's colour: for a method compiled in several ways the heaviest one */
  lookOf(node) { return (this.shape.looks ?? this.frames)[node]; }

  /**
   * @param {Uint8Array} frameFamilies frame -> index into families()
   * @return {Generator} of a Float64Array: family -> self value of its frames; NaN if the profile has no such frame
   */
  * selfOfFamilies(frameFamilies) {
    const {totals, parents} = this;
    const sums = new Float64Array(families().length).fill(NaN);
    const looks = this.shape.looks ?? this.frames;
    yield* inSlices(looks.length, (from, to) => {
      for (let node = Math.max(from, 1); node < to; node++) {
        if (totals[node] === 0) continue;
        // A node's total is not part of its caller's self value.
        const family = frameFamilies[looks[node]];
        sums[family] = (sums[family] || 0) + totals[node];
        if (parents[node] !== 0) sums[frameFamilies[looks[parents[node]]]] -= totals[node];
      }
    });
    return sums;
  }

  /** @return {number} the node of the shape that a node represents */
  sourceOf(node) { return node; }

  /** @return {boolean} whether a row is below a node and kept by filters */
  holds(node, row) {
    const {shape: {rowNodes}, ends, kept} = this;
    const place = rowNodes[row];
    return place !== NOWHERE && place >= node && place < ends[node] && (kept === null || kept[row] !== 0);
  }

  /** @return {{kinds: {kind: number, total: number}[], lines: {line: number, total: number}[]}} kinds and lines merged into a node */
  partsOf(node) { return partsOf(this, node); }

  /** @return {number} the first child in the order of names, 0: none */
  firstChild(node) {
    const child = node + 1;
    return child < this.ends[node] ? this.fromHere(child, this.ends[node]) : 0;
  }

  /** @return {number} 0 after the last */
  nextSibling(node) {
    const next = this.ends[node];
    const end = this.ends[this.parents[node]];
    return next < end ? this.fromHere(next, end) : 0;
  }

  /** Returns the first sibling with a value. */
  fromHere(node, end) {
    const {totals, ends} = this;
    while (node < end && totals[node] === 0) node = ends[node];
    return node < end ? node : 0;
  }
}

/** @return {number[]} the nodes from below the root down to `node` */
export function pathTo(tree, node) {
  const path = [];
  for (; node !== tree.root; node = tree.parents[node]) path.push(node);
  return path.reverse();
}

/** @return {number} the node reached from the root by these frames, as far as they exist */
export function followFrames(tree, frames) {
  let node = tree.root;
  for (const frame of frames) {
    let child = tree.firstChild(node);
    while (child && tree.frames[child] !== frame) child = tree.nextSibling(child);
    if (!child) return node;
    node = child;
  }
  return node;
}

/**
 * @param {string[]} names from below the root
 * @return {number} the node reached by frames of these names, as far as they exist; the
 *     widest one of several
 */
export function followNames(tree, names) {
  let node = tree.root;
  for (const name of names) {
    let found = 0;
    for (let child = tree.firstChild(node); child; child = tree.nextSibling(child)) {
      const isWider = found === 0 || tree.totals[child] > tree.totals[found];
      if (isWider && tree.nameOf(child) === name) found = child;
    }
    if (found === 0) return node;
    node = found;
  }
  return node;
}

/** @return {string} the path to a node, for readPath() of the same profile with the same transforms */
export function writePath(tree, node) {
  const known = tree.table.known;
  // Numbers of frames created by transforms depend on the order of transforms.
  const stepTo = (at) => tree.frames[at] < known ? tree.frames[at] : madeStep(tree, at);
  return pathTo(tree, node).map(stepTo).join('.');
}

/** Escapes dots, which separate steps. */
function madeStep(tree, node) { return `~${encodeURIComponent(tree.nameOf(node)).replaceAll('.', '%2E')}`; }

/** @return {number} the node at the end of such a path, as far as it exists */
export function readPath(tree, text) {
  let node = tree.root;
  for (const step of text === '' ? [] : text.split('.')) {
    const isMade = step.startsWith('~');
    const isStep = (child) => isMade ? madeStep(tree, child) === step : tree.frames[child] === Number(step);
    let child = tree.firstChild(node);
    while (child && !isStep(child)) child = tree.nextSibling(child);
    if (!child) return node;
    node = child;
  }
  return node;
}
