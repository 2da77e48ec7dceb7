// The tree turned over: below the root the frames that used the value themselves, below each its callers, merged.
// Whole, it can be forty times the call tree, so a node's children are made when somebody looks at them.

import {GrowingArray} from './growing_array.js';
import {inSlices} from './slices.js';
import {finish} from './work.js';

export class CallerTree {
  /**
   * @param {import('./call_tree.js').CallTree} callTree
   * @param {{nodes: Uint32Array, columns: Float64Array[]}} stacks  every stack: the node where it has come up to so far,
   *     and what it has of each of the call tree's columns
   * @param {number[]} sums of these columns
   */
  constructor(callTree, stacks, sums) {
    this.callTree = callTree;
    this.profile = callTree.profile;
    this.header = callTree.header;
    this.table = callTree.table;
    this.lens = callTree.lens;
    this.root = 0;
    this.stacks = stacks;
    this.nodes = {
      parents: new GrowingArray(Uint32Array),
      frames: new GrowingArray(Uint32Array),
      sums: sums.map(() => new GrowingArray(Float64Array)),
      // Where the node's stacks are in `stacks`, as long as it has no children; then the same place is its children's.
      stackBegins: new GrowingArray(Uint32Array),
      stackEnds: new GrowingArray(Uint32Array),
      // Children have consecutive numbers. The first is 0 as long as nobody has asked for them.
      firstChildren: new GrowingArray(Uint32Array),
      childCounts: new GrowingArray(Uint32Array),
    };
    this.counts = new Uint32Array(callTree.table.count);
    this.addNode(0, 0, 0, stacks.nodes.length);
    sums.forEach((sum, column) => this.nodes.sums[column].values[this.root] = sum);
  }

  /** @return {Generator} of the whole call tree turned over; another lens needs another one */
  static* of(callTree) {
    yield* callTree.learnVariances();
    const {selfs, columns} = callTree;
    const nodes = new Uint32Array(selfs.length);
    let count = 0;
    yield* inSlices(selfs.length, (from, to) => {
      // The root's own have no frame to begin with.
      for (let node = Math.max(from, 1); node < to; node++) {
        if (selfs[node] > 0) nodes[count++] = node;
      }
    });
    const sums = callTree.sums.map((sum) => sum[callTree.root]);
    return yield* CallerTree.begun(callTree, nodes.slice(0, count), columns, sums);
  }

  /**
   * @param {Uint32Array} nodes  where stacks begin, none within another @param {Float64Array[]} columns  node -> what it has
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

  get parents() { return this.nodes.parents.values; }
  get frames() { return this.nodes.frames.values; }
  get sums() { return this.nodes.sums.map((sums) => sums.values); }
  get totals() { return this.nodes.sums[0].values; }
  get variances() { return this.callTree.variances && this.nodes.sums[1].values; }

  nameOf(node) { return this.table.nameOf(this.frames[node]); }

  lookOf(node) { return this.frames[node]; }

  firstChild(node) {
    const {firstChildren, childCounts} = this.nodes;
    if (firstChildren.values[node] === 0) this.expand(node);
    return childCounts.values[node] === 0 ? 0 : firstChildren.values[node];
  }

  nextSibling(node) {
    const {firstChildren, childCounts, parents} = this.nodes;
    const parent = parents.values[node];
    const next = node + 1;
    return next < firstChildren.values[parent] + childCounts.values[parent] ? next : 0;
  }

  addNode(parent, frame, stackBegin, stackEnd) {
    const {parents, frames, sums, stackBegins, stackEnds, firstChildren, childCounts} = this.nodes;
    parents.push(parent);
    frames.push(frame);
    for (const column of sums) column.push(0);
    stackBegins.push(stackBegin);
    stackEnds.push(stackEnd);
    firstChildren.push(0);
    childCounts.push(0);
  }

  /** Moves the node's stacks up by one frame and makes its children of them. */
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
   * Makes one child for each frame among the stacks from the node's begin to `end`, in the order of the frames' names.
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
    const first = this.nodes.parents.length;
    let place = begin;
    for (const frame of present) {
      this.addNode(parent, frame, place, place);
      place += counts[frame];
      counts[frame] = this.nodes.parents.length - 1;
    }
    yield* this.distribute(begin, end, counts);
    for (const frame of present) counts[frame] = 0;
    this.nodes.firstChildren.values[parent] = first;
    this.nodes.childCounts.values[parent] = present.length;
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
