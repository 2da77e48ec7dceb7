// A tree under construction: nodes are asked for by parent and frame, and made when they are not there. As long as they
// are asked for in the order of a tree, which is the rule, this takes no search; what comes out of order is put into it at the
// end.

import {inSlices} from './slices.js';

// So many siblings are looked through before they are put into the hash table.
const MOST_LOOKED_THROUGH = 8;
const IN_ORDER = 0, OUT_OF_ORDER = 1, HASHED = 2;

export class NewTree {
  /** @param {number} capacity nodes that there may be @param {Uint32Array} ranks frame -> place among siblings */
  constructor(capacity, ranks) {
    this.ranks = ranks;
    this.count = 1;
    this.parents = new Uint32Array(capacity);
    this.frames = new Uint32Array(capacity);
    this.lastChildren = new Uint32Array(capacity);
    this.siblings = new Uint32Array(capacity);  // the one made before it; 0: none
    this.states = new Uint8Array(capacity);     // of the node's children
    this.isPreorder = true;
    this.table = new Uint32Array(0);
    this.hashed = 0;
  }

  /** For nodes that are asked for in any order; ranks need not be known before the end. */
  static inAnyOrder(capacity) {
    const tree = new NewTree(capacity, null);
    tree.states.fill(OUT_OF_ORDER);
    tree.isPreorder = false;
    return tree;
  }

  /** @return {number} the node's child with this frame */
  child(parent, frame) {
    const last = this.lastChildren[parent];
    if (last === 0) return this.append(parent, frame, last);
    const lastFrame = this.frames[last];
    if (lastFrame === frame) return last;
    const state = this.states[parent];
    if (state === IN_ORDER && this.ranks[lastFrame] < this.ranks[frame]) return this.append(parent, frame, last);
    const found = this.search(parent, frame, state);
    this.isPreorder = false;
    if (found !== 0) return found;
    if (!(state & OUT_OF_ORDER) && this.ranks[frame] < this.ranks[lastFrame]) this.states[parent] |= OUT_OF_ORDER;
    return this.append(parent, frame, last);
  }

  append(parent, frame, last) {
    if (this.count === this.parents.length) this.grow();
    const node = this.count++;
    this.parents[node] = parent;
    this.frames[node] = frame;
    this.siblings[node] = last;
    this.lastChildren[parent] = node;
    if (this.states[parent] & HASHED) this.insert(node);
    return node;
  }

  search(parent, frame, state) {
    if (state & HASHED) return this.lookUp(parent, frame);
    const {frames, siblings, ranks} = this;
    let left = MOST_LOOKED_THROUGH;
    for (let node = this.lastChildren[parent]; node !== 0; node = siblings[node]) {
      if (frames[node] === frame) return node;
      if (state === IN_ORDER && ranks[frames[node]] < ranks[frame]) return 0;
      if (left-- === 0) {
        this.hashChildren(parent);
        return this.lookUp(parent, frame);
      }
    }
    return 0;
  }

  hashChildren(parent) {
    this.states[parent] |= HASHED;
    for (let node = this.lastChildren[parent]; node !== 0; node = this.siblings[node]) this.insert(node);
  }

  slot(parent, frame) {
    const mixed = Math.imul(parent, 0x9e3779b1) ^ Math.imul(frame, 0x85ebca6b);
    return (mixed ^ mixed >>> 15) & (this.table.length - 1);
  }

  lookUp(parent, frame) {
    const {table, parents, frames} = this;
    for (let at = this.slot(parent, frame);; at = (at + 1) & (table.length - 1)) {
      const node = table[at];
      if (node === 0 || (parents[node] === parent && frames[node] === frame)) return node;
    }
  }

  insert(node) {
    if (2 * this.hashed >= this.table.length) this.rehash();
    this.put(node);
    this.hashed++;
  }

  put(node) {
    const {table} = this;
    let at = this.slot(this.parents[node], this.frames[node]);
    while (table[at] !== 0) at = (at + 1) & (table.length - 1);
    table[at] = node;
  }

  rehash() {
    const before = this.table;
    this.table = new Uint32Array(Math.max(1 << 12, 4 * before.length));
    for (const node of before) {
      if (node !== 0) this.put(node);
    }
  }

  grow() {
    for (const column of ['parents', 'frames', 'lastChildren', 'siblings', 'states']) {
      const larger = new this[column].constructor(2 * this.count + 16);
      if (column === 'states' && this.ranks === null) larger.fill(OUT_OF_ORDER);
      larger.set(this[column]);
      this[column] = larger;
    }
  }

  /**
   * Ends the construction. @return {Generator} of {parents, frames, numbers: node as child() told it -> its number in preorder, or null where
   *     that is the same}
   */
  * finish() {
    const {count} = this;
    if (this.isPreorder) return {parents: this.parents.slice(0, count), frames: this.frames.slice(0, count), numbers: null};
    const numbers = new Uint32Array(count);
    const parents = new Uint32Array(count);
    const frames = new Uint32Array(count);
    // Each node waits here once, between its parent's and its own turn.
    const waiting = new Uint32Array(count);
    let left = 1;
    let next = 0;
    const work = (from, to) => {
      for (next = from; next < to; next++) {
        const node = waiting[--left];
        numbers[node] = next;
        parents[next] = numbers[this.parents[node]];
        frames[next] = this.frames[node];
        left = this.pushChildren(node, waiting, left);
      }
    };
    yield* inSlices(count, work);
    return {parents, frames, numbers};
  }

  /** The last one first, so that the first one is taken next. */
  pushChildren(node, waiting, at) {
    const begin = at;
    for (let child = this.lastChildren[node]; child !== 0; child = this.siblings[child]) waiting[at++] = child;
    if (this.states[node] & OUT_OF_ORDER && !this.isFalling(waiting, begin, at)) {
      const {ranks, frames} = this;
      waiting.subarray(begin, at).sort((a, b) => ranks[frames[b]] - ranks[frames[a]]);
    }
    return at;
  }

  isFalling(nodes, begin, end) {
    const {ranks, frames} = this;
    for (let i = begin + 1; i < end; i++) {
      if (ranks[frames[nodes[i - 1]]] < ranks[frames[nodes[i]]]) return false;
    }
    return true;
  }
}
