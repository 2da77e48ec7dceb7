// The tree turned over: below the root the frames that used the value themselves, below each its callers, merged.
// Whole, it can be forty times the call tree, so a node's children are made when somebody looks at them.

import {GrowingArray} from './growing_array.js';

export class CallerTree {
  /** @param {import('./call_tree.js').CallTree} callTree with the lens to show; a new lens needs a new CallerTree */
  constructor(callTree) {
    this.callTree = callTree;
    this.root = 0;
    this.nodes = {
      parents: new GrowingArray(Uint32Array),
      frames: new GrowingArray(Uint32Array),
      // A column for each of the call tree's.
      sums: callTree.columns.map(() => new GrowingArray(Float64Array)),
      // Where the node's stacks are in `stacks`, as long as it has no children; then the same place is its children's.
      stackBegins: new GrowingArray(Uint32Array),
      stackEnds: new GrowingArray(Uint32Array),
      // Children have consecutive numbers. The first is 0 as long as nobody has asked for them.
      firstChildren: new GrowingArray(Uint32Array),
      childCounts: new GrowingArray(Uint32Array),
    };
    this.stacks = stacksOf(callTree);
    this.counts = new Uint32Array(callTree.profile.frameNames.length);
    this.addNode(0, 0, 0, this.stacks.nodes.length);
    this.nodes.sums.forEach((sums, column) => {
      sums.values[this.root] = callTree.sums[column][callTree.root];
    });
    this.divide(this.root, this.stacks.nodes.length);
  }

  get parents() { return this.nodes.parents.values; }
  get frames() { return this.nodes.frames.values; }
  get sums() { return this.nodes.sums.map((sums) => sums.values); }
  get totals() { return this.nodes.sums[0].values; }
  get variances() { return this.callTree.variances && this.nodes.sums[1].values; }

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
    this.divide(node, kept);
  }

  /**
   * Makes one child for each frame among the stacks from the node's begin to `end`, in the order of the frames' names.
   */
  divide(parent, end) {
    const {counts} = this;
    const begin = this.nodes.stackBegins.values[parent];
    const {frames, profile} = this.callTree;
    const present = [];
    for (let i = begin; i < end; i++) {
      if (counts[frames[this.stacks.nodes[i]]]++ === 0) present.push(frames[this.stacks.nodes[i]]);
    }
    present.sort((a, b) => profile.frameNames[a] - profile.frameNames[b] || a - b);
    const first = this.nodes.parents.length;
    let place = begin;
    for (const frame of present) {
      this.addNode(parent, frame, place, place);
      place += counts[frame];
      counts[frame] = this.nodes.parents.length - 1;
    }
    this.distribute(begin, end, counts);
    for (const frame of present) counts[frame] = 0;
    this.nodes.firstChildren.values[parent] = first;
    this.nodes.childCounts.values[parent] = present.length;
  }

  distribute(begin, end, childOfFrame) {
    const nodes = this.stacks.nodes.slice(begin, end);
    const columns = this.stacks.columns.map((column) => column.slice(begin, end));
    const {sums, stackEnds} = this.nodes;
    for (let i = 0; i < nodes.length; i++) {
      const child = childOfFrame[this.callTree.frames[nodes[i]]];
      const place = stackEnds.values[child]++;
      this.stacks.nodes[place] = nodes[i];
      for (let column = 0; column < columns.length; column++) {
        this.stacks.columns[column][place] = columns[column][i];
        sums[column].values[child] += columns[column][i];
      }
    }
  }
}

/** Every stack of the call tree: the node where it has come up to so far, and its part of each column. */
function stacksOf({selfs, columns}) {
  let count = 0;
  for (const self of selfs) count += self > 0 ? 1 : 0;
  const nodes = new Uint32Array(count);
  let at = 0;
  for (let node = 0; node < selfs.length; node++) {
    if (selfs[node] > 0) nodes[at++] = node;
  }
  return {nodes, columns: columns.map((column) => partOf(column, nodes))};
}

function partOf(column, nodes) {
  const part = new Float64Array(nodes.length);
  for (let i = 0; i < nodes.length; i++) part[i] = column[nodes[i]];
  return part;
}
