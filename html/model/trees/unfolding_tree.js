// A tree that creates the children of a node on first access, because the complete tree would take too long. Has the interface of
// CallTree (call_tree.js) for layout and views.

import {GrowingArray} from '../data/growing_array.js';

export class UnfoldingTree {
  /**
   * @param {import('../data/frame_table.js').FrameTable} table @param {number} sums number of sums per node
   * @param {Object<string, Function>} columns name -> type of further columns
   */
  constructor(table, sums, columns) {
    this.table = table;
    this.root = 0;
    this.nodes = {
      parents: new GrowingArray(Uint32Array),
      frames: new GrowingArray(Uint32Array),
      // Children have consecutive numbers. The first is 0 until they are created.
      firstChildren: new GrowingArray(Uint32Array),
      childCounts: new GrowingArray(Uint32Array),
    };
    for (const [name, Type] of Object.entries(columns)) this.nodes[name] = new GrowingArray(Type);
    this.everyColumn = Object.values(this.nodes);
    this.nodes.sums = Array.from({length: sums}, () => new GrowingArray(Float64Array));
    this.everyColumn.push(...this.nodes.sums);
  }

  get parents() { return this.nodes.parents.values; }
  get frames() { return this.nodes.frames.values; }
  get sums() { return this.nodes.sums.map((sums) => sums.values); }
  get totals() { return this.nodes.sums[0].values; }

  nameOf(node) { return this.table.nameOf(this.frames[node]); }

  /** @return {number} its number; its other fields are 0 */
  addNode(parent, frame) {
    const node = this.nodes.parents.length;
    for (const column of this.everyColumn) column.push(0);
    this.nodes.parents.values[node] = parent;
    this.nodes.frames.values[node] = frame;
    return node;
  }

  /** Creates a node's children. @param {function()} add  adds them */
  addChildren(node, add) {
    const first = this.nodes.parents.length;
    add();
    this.nodes.firstChildren.values[node] = first;
    this.nodes.childCounts.values[node] = this.nodes.parents.length - first;
  }

  /** Creates in slices all nodes with at least this value, so that drawing need not wait for them. */
  * unfold(least) {
    const waiting = [this.root];
    while (waiting.length > 0) {
      const node = waiting.pop();
      for (let child = this.firstChild(node); child !== 0; child = this.nextSibling(child)) {
        if (this.totals[child] >= least) waiting.push(child);
      }
      yield;
    }
  }

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
}
