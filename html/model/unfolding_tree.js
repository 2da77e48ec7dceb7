// A tree whose nodes are made when somebody looks at their parent: what it would be as a whole nobody could wait for. It has the face
// of CallTree (call_tree.js) that layout and views know.

import {GrowingArray} from './growing_array.js';

export class UnfoldingTree {
  /**
   * @param {import('./frame_table.js').FrameTable} table @param {number} sums how many there are of each node
   * @param {Object<string, Function>} columns name -> type of what else there is of each node
   */
  constructor(table, sums, columns) {
    this.table = table;
    this.root = 0;
    this.nodes = {
      parents: new GrowingArray(Uint32Array),
      frames: new GrowingArray(Uint32Array),
      // Children have consecutive numbers. The first is 0 as long as nobody has asked for them.
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

  /** @return {number} its number; whatever is not told is 0 */
  addNode(parent, frame) {
    const node = this.nodes.parents.length;
    for (const column of this.everyColumn) column.push(0);
    this.nodes.parents.values[node] = parent;
    this.nodes.frames.values[node] = frame;
    return node;
  }

  /** Makes a node's children by adding them. @param {function()} add */
  addChildren(node, add) {
    const first = this.nodes.parents.length;
    add();
    this.nodes.firstChildren.values[node] = first;
    this.nodes.childCounts.values[node] = this.nodes.parents.length - first;
  }

  /** Makes in steps what has at least so much, which else the picture would have to wait for. */
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
