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
      totals: new GrowingArray(Float64Array),
      // Where the node's stacks are in `stacks`.
      stackBegins: new GrowingArray(Uint32Array),
      stackEnds: new GrowingArray(Uint32Array),
      // Children have consecutive numbers. The first is 0 as long as nobody has asked for them.
      firstChildren: new GrowingArray(Uint32Array),
      childCounts: new GrowingArray(Uint32Array),
    };
    // A caller tree's node stands for many nodes of the call tree, each with the part of the value that came up through
    // it.
    this.stacks = {nodes: new GrowingArray(Uint32Array), values: new GrowingArray(Float64Array)};
    this.scratch = {
      nodes: new GrowingArray(Uint32Array),
      values: new GrowingArray(Float64Array),
      lastSeen: new Uint32Array(callTree.parents.length),
      counts: new Uint32Array(callTree.profile.frameNames.length),
    };
    this.addNode(0, 0, callTree.totals[0], 0, 0);
    this.expandRoot();
  }

  get parents() { return this.nodes.parents.values; }
  get frames() { return this.nodes.frames.values; }
  get totals() { return this.nodes.totals.values; }

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

  addNode(parent, frame, total, stackBegin, stackEnd) {
    const {parents, frames, totals, stackBegins, stackEnds, firstChildren, childCounts} = this.nodes;
    parents.push(parent);
    frames.push(frame);
    totals.push(total);
    stackBegins.push(stackBegin);
    stackEnds.push(stackEnd);
    firstChildren.push(0);
    childCounts.push(0);
  }

  expandRoot() {
    const {selfs} = this.callTree;
    this.beginMerge();
    for (let node = 1; node < selfs.length; node++) {
      if (selfs[node] > 0) this.merge(node, selfs[node]);
    }
    this.endMerge(this.root);
  }

  expand(node) {
    const {stackBegins, stackEnds} = this.nodes;
    const {nodes, values} = this.stacks;
    const {parents} = this.callTree;
    this.beginMerge();
    for (let i = stackBegins.values[node], end = stackEnds.values[node]; i < end; i++) {
      const caller = parents[nodes.values[i]];
      if (caller !== 0) this.merge(caller, values.values[i]);
    }
    this.endMerge(node);
  }

  beginMerge() {
    this.scratch.nodes.length = 0;
    this.scratch.values.length = 0;
  }

  /** Stacks that meet in one node of the call tree go on as one. */
  merge(node, value) {
    const {nodes, values, lastSeen} = this.scratch;
    const place = lastSeen[node];
    if (place < nodes.length && nodes.values[place] === node) {
      values.values[place] += value;
    } else {
      lastSeen[node] = nodes.length;
      nodes.push(node);
      values.push(value);
    }
  }

  /** Makes one child for each frame among the merged stacks, in the order of the frames' names. */
  endMerge(parent) {
    const {nodes, values, counts} = this.scratch;
    const {frames} = this.callTree;
    const present = [];
    for (let i = 0; i < nodes.length; i++) {
      const frame = frames[nodes.values[i]];
      if (counts[frame]++ === 0) present.push(frame);
    }
    const {frameNames} = this.callTree.profile;
    present.sort((a, b) => frameNames[a] - frameNames[b] || a - b);
    const first = this.nodes.parents.length;
    let begin = this.stacks.nodes.length;
    for (const frame of present) {
      this.addNode(parent, frame, 0, begin, begin);
      begin += counts[frame];
      counts[frame] = this.nodes.parents.length - 1;
    }
    this.stacks.nodes.resize(begin);
    this.stacks.values.resize(begin);
    this.distribute(counts);
    for (const frame of present) counts[frame] = 0;
    this.nodes.firstChildren.values[parent] = first;
    this.nodes.childCounts.values[parent] = present.length;
  }

  distribute(childOfFrame) {
    const {nodes, values} = this.scratch;
    const {totals, stackEnds} = this.nodes;
    for (let i = 0; i < nodes.length; i++) {
      const child = childOfFrame[this.callTree.frames[nodes.values[i]]];
      const place = stackEnds.values[child]++;
      this.stacks.nodes.values[place] = nodes.values[i];
      this.stacks.values.values[place] = values.values[i];
      totals.values[child] += values.values[i];
    }
  }
}
