// A call tree grouped by the values of a label, with nodes created on demand: each node is a node of the ungrouped tree, restricted to
// the rows of its group. groupBy() (grouping.js) makes the complete tree.

import {rowVariances} from './bounds.js';
import {CallTree} from './call_tree.js';
import {partsOf} from './parts.js';
import {NOWHERE} from './shape.js';
import {inSlices} from '../slices.js';
import {UnfoldingTree} from './unfolding_tree.js';

export class GroupedTree extends UnfoldingTree {
  /**
   * @param {import('./call_tree.js').TreeInput} input of the ungrouped tree @param {import('./grouping.js').Groups} groups
   * @return {Generator} of the tree
   */
  static* of(input, groups) {
    const {order} = groups;
    const nodes = new Uint32Array(order.length);
    yield* inSlices(order.length, (from, to) => {
      for (let i = from; i < to; i++) nodes[i] = input.shape.rowNodes[order[i]];
    });
    return new GroupedTree(input, groups, nodes, yield* sumsBefore(order, input.profile.valuesOf(input.lens), input.kept));
  }

  /**
   * @param {Uint32Array} rowNodes of the groups' rows, in their order
   * @param {Float64Array} before  prefix sums of the rows' values
   */
  constructor(input, groups, rowNodes, before) {
    super(input.table, 1, {
      sources: Uint32Array, groups: Uint32Array, begins: Uint32Array, ends: Uint32Array, ownEnds: Uint32Array,
      selfs: Float64Array,
    });
    const {profile, lens, kept} = input;
    Object.assign(this, {input, profile, lens, kept, header: profile.header, groups, rowNodes, before});
    this.addPart(0, 0, {source: 0, group: 0, begin: 0, end: rowNodes.length});
    this.addChildren(this.root, () => groups.frames.forEach((frame, group) => {
      this.addChild(0, frame, {source: 0, group, begin: groups.starts[group], end: groups.starts[group + 1]});
    }));
  }

  get valueType() { return this.header.values[this.lens]; }

  selfAt(node) { return this.nodes.selfs.values[node]; }
  /** Same as in CallTree. */
  variancesAt(node) {
    const variances = rowVariances(this.profile, this.lens);
    if (variances === null) return null;
    const {kept, groups: {order}, nodes: {begins, ownEnds, ends}} = this;
    const sum = {self: 0, total: 0};
    for (let i = begins.values[node]; i < ends.values[node]; i++) {
      if (kept !== null && kept[order[i]] === 0) continue;
      sum.total += variances[order[i]];
      if (i < ownEnds.values[node]) sum.self += variances[order[i]];
    }
    return sum;
  }

  /** Adds a child unless it has no value. */
  addChild(parent, frame, part) {
    if (this.before[part.end] !== this.before[part.begin]) this.addPart(parent, frame, part);
  }

  addPart(parent, frame, {source, group, begin, end}) {
    const {before, rowNodes, nodes} = this;
    const node = this.addNode(parent, frame);
    // Rows of the node itself come first.
    let own = begin;
    while (node !== this.root && own < end && rowNodes[own] === source) own++;
    nodes.sources.values[node] = source;
    nodes.groups.values[node] = group;
    nodes.begins.values[node] = begin;
    nodes.ownEnds.values[node] = own;
    nodes.ends.values[node] = end;
    nodes.sums[0].values[node] = before[end] - before[begin];
    nodes.selfs.values[node] = before[own] - before[begin];
  }

  /** Creates a child for each frame below the node's source with some of the rows. */
  expand(node) {
    const {rowNodes, input: {shape}} = this;
    const {sources, groups, ownEnds, ends} = this.nodes;
    const source = sources.values[node];
    const group = groups.values[node];
    const end = ends.values[node];
    this.addChildren(node, () => {
      for (let begin = ownEnds.values[node]; begin < end;) {
        const child = childAbove(shape, source, rowNodes[begin]);
        const next = firstFrom(rowNodes, begin, end, shape.ends[child]);
        this.addChild(node, shape.frames[child], {source: child, group, begin, end: next});
        begin = next;
      }
    });
  }

  lookOf(node) {
    const {input: {shape}, nodes: {sources}} = this;
    const source = sources.values[node];
    return source === 0 ? this.frames[node] : (shape.looks ?? shape.frames)[source];
  }

  /** @return {Float64Array[]} row -> value, for partsOf() */
  get rowValues() { return [this.profile.valuesOf(this.lens)]; }

  partsOf(node) { return partsOf(this, node); }

  /** @return {number} the node of the shape that a node represents; 0: none */
  sourceOf(node) { return this.nodes.sources.values[node]; }

  /** @return {boolean} whether a row is below a node and kept by filters */
  holds(node, row) {
    const {profile: {rowSets}, input: {shape}, kept, nodes, groups} = this;
    const source = nodes.sources.values[node];
    const place = shape.rowNodes[row];
    const isBelow = place !== NOWHERE && place >= source && place < shape.ends[source];
    return isBelow && (kept === null || kept[row] !== 0) && groups.groupOfSet[rowSets ? rowSets[row] : 0] === nodes.groups.values[node];
  }

  /** Same as in CallTree. */
  * selfOfFamilies(frameFamilies) {
    const ungrouped = yield* CallTree.of(this.input);
    const sums = yield* ungrouped.selfOfFamilies(frameFamilies);
    for (let group = this.firstChild(this.root); group !== 0; group = this.nextSibling(group)) {
      const family = frameFamilies[this.frames[group]];
      sums[family] = (sums[family] || 0) + this.selfAt(group);
    }
    return sums;
  }
}

/** @return {Generator} of a Float64Array: index among the rows -> sum of the kept rows before it */
function* sumsBefore(order, values, kept) {
  const sums = new Float64Array(order.length + 1);
  yield* inSlices(order.length, (from, to) => {
    for (let i = from; i < to; i++) {
      const row = order[i];
      sums[i + 1] = sums[i] + (kept === null || kept[row] !== 0 ? values[row] : 0);
    }
  });
  return sums;
}

/** @return {number} the child of `node` whose subtree contains `other` */
function childAbove({parents}, node, other) {
  while (parents[other] !== node) other = parents[other];
  return other;
}

/** @return {number} the first index from `begin` on whose value is at least `least`; `end` if there is none */
function firstFrom(values, begin, end, least) {
  while (begin < end) {
    const middle = (begin + end) >> 1;
    if (values[middle] < least) {
      begin = middle + 1;
    } else {
      end = middle;
    }
  }
  return begin;
}
