// The inverted tree: below the root the frames with self value, below each its merged callers. In full it can be forty times as large
// as the call tree.

import {inSlices} from '../slices.js';
import {UnfoldingTree} from './unfolding_tree.js';
import {finish} from '../work.js';

export class CallerTree extends UnfoldingTree {
  /**
   * @param {import('./call_tree.js').CallTree} callTree
   * @param {{nodes: Uint32Array, columns: Float64Array[]}} stacks  every stack: the node reached so far on the way
   *     to the root, and its value in each of the call tree's columns
   * @param {number[]} sums of these columns
   */
  constructor(callTree, stacks, sums) {
    // Range of the node's stacks in `stacks`. Expanding the node divides the range among its children.
    super(callTree.table, sums.length, {stackBegins: Uint32Array, stackEnds: Uint32Array});
    this.callTree = callTree;
    this.profile = callTree.profile;
    this.header = callTree.header;
    this.lens = callTree.lens;
    this.stacks = stacks;
    this.counts = new Uint32Array(callTree.table.count);
    this.addStacks(0, 0, 0, stacks.nodes.length);
    sums.forEach((sum, column) => this.nodes.sums[column].values[this.root] = sum);
  }

  /** @return {Generator} of the inverted call tree, for one value type */
  static* of(callTree) {
    yield* callTree.computeColumns();
    const {columns} = callTree;
    const [selfs] = columns;
    const nodes = new Uint32Array(selfs.length);
    let count = 0;
    yield* inSlices(selfs.length, (from, to) => {
      // Self value of the root has no frame.
      for (let node = Math.max(from, 1); node < to; node++) {
        if (selfs[node] > 0) nodes[count++] = node;
      }
    });
    const sums = callTree.sums.map((sum) => sum[callTree.root]);
    return yield* CallerTree.begun(callTree, nodes.slice(0, count), columns, sums);
  }

  /**
   * @param {Uint32Array} nodes  where stacks start, none below another @param {Float64Array[]} columns  node -> value
   * @return {Generator} of the callers of these nodes
   */
  static* from(callTree, nodes, columns) {
    const sums = columns.map((column) => nodes.reduce((sum, node) => sum + column[node], 0));
    return yield* CallerTree.begun(callTree, nodes, columns, sums);
  }

  static* begun(callTree, nodes, columns, sums) {
    const parts = columns.map(() => new Float64Array(nodes.length));
    yield* inSlices(nodes.length, (from, to) => {
      columns.forEach((column, which) => {
        for (let i = from; i < to; i++) parts[which][i] = column[nodes[i]];
      });
    });
    const tree = new CallerTree(callTree, {nodes, columns: parts}, sums);
    yield* tree.divide(tree.root, nodes.length);
    return tree;
  }

  get valueType() { return this.callTree.valueType; }

  variancesAt(node) {
    const [, variances] = this.nodes.sums;
    return variances ? {total: variances.values[node]} : null;
  }

  lookOf(node) { return this.frames[node]; }

  addStacks(parent, frame, begin, end) {
    const node = this.addNode(parent, frame);
    this.nodes.stackBegins.values[node] = begin;
    this.nodes.stackEnds.values[node] = end;
  }

  /** Moves the node's stacks up by one frame and creates its children from them. */
  expand(node) {
    const {nodes, columns} = this.stacks;
    const {parents} = this.callTree;
    const begin = this.nodes.stackBegins.values[node];
    const end = this.nodes.stackEnds.values[node];
    let kept = begin;
    for (let i = begin; i < end; i++) {
      const caller = parents[nodes[i]];
      if (caller === 0) continue;
      nodes[kept] = caller;
      for (const column of columns) column[kept] = column[i];
      kept++;
    }
    finish(this.divide(node, kept));
  }

  /**
   * Creates a child for each frame among the stacks from the node's begin to `end`, ordered by name.
   */
  * divide(parent, end) {
    const {counts} = this;
    const begin = this.nodes.stackBegins.values[parent];
    const {frames, table: {ranks}} = this.callTree;
    const {nodes} = this.stacks;
    const present = [];
    yield* inSlices(end - begin, (from, to) => {
      for (let i = begin + from; i < begin + to; i++) {
        if (counts[frames[nodes[i]]]++ === 0) present.push(frames[nodes[i]]);
      }
    });
    present.sort((a, b) => ranks[a] - ranks[b]);
    let place = begin;
    this.addChildren(parent, () => {
      for (const frame of present) {
        this.addStacks(parent, frame, place, place);
        place += counts[frame];
        counts[frame] = this.nodes.parents.length - 1;
      }
    });
    yield* this.distribute(begin, end, counts);
    for (const frame of present) counts[frame] = 0;
  }

  * distribute(begin, end, childOfFrame) {
    const {frames} = this.callTree;
    const nodes = this.stacks.nodes.slice(begin, end);
    const columns = this.stacks.columns.map((column) => column.slice(begin, end));
    const sums = this.nodes.sums.map((column) => column.values);
    const stackEnds = this.nodes.stackEnds.values;
    yield* inSlices(nodes.length, (from, to) => {
      for (let i = from; i < to; i++) {
        const child = childOfFrame[frames[nodes[i]]];
        const place = stackEnds[child]++;
        this.stacks.nodes[place] = nodes[i];
        for (let column = 0; column < columns.length; column++) {
          this.stacks.columns[column][place] = columns[column][i];
          sums[column][child] += columns[column][i];
        }
      }
    });
  }
}
