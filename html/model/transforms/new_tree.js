// A tree under construction: nodes are requested by parent and frame, and created if missing. Requests in preorder, the usual case,
// need no search. Nodes created out of order are sorted at the end; subtrees between them are moved as a whole.
//
// The stacks a;b, then c, then a;d, in columns by the number that child() returns:
//
//   node           0   1   2   3   4        0 ─┬─ 1 a ─┬─ 2 b
//   frames         -   a   b   c   d           │       └─ 4 d     requested after 3: 1 and 0 are LATE
//   parents        0   0   1   0   1           └─ 3 c
//   lastChildren   3   4   0   0   0
//   siblings       0   0   0   1   2
//   finish():      0   1   2   4   3        `numbers`: d moves before c
//
// Invariants:
//   - parents[node] < node. The children of a node are lastChildren[node], its siblings[…] and so on, newest first, up to 0.
//   - The descendants of a node that is not LATE are the nodes node + 1 to ends[node] - 1, in preorder: finish() moves them as one range.
//   - All ancestors of a LATE node are LATE.

import {inSlicesBackwards} from '../slices.js';

// Siblings searched linearly before they are put into the hash table.
const MOST_LOOKED_THROUGH = 8;
// States of a node: its children are not sorted; its children are in the hash table; it or a descendant got children after later
// nodes had been created.
const OUT_OF_ORDER = 1, HASHED = 2, LATE = 4;
const SLICE = 1 << 15;

// Columns of the last finished tree, reused: fresh memory costs more than the work done in it.
const spare = {};

const columnTypes = {
  parents: Uint32Array, frames: Uint32Array, ends: Uint32Array,
  lastChildren: Uint32Array, siblings: Uint32Array, states: Uint8Array,
};

/** @return {Uint8Array|Uint32Array} zeros, at least `capacity` of them */
function takeColumn(name, capacity) {
  const {[name]: column} = spare;
  delete spare[name];
  return column?.length >= capacity ? column : new columnTypes[name](capacity);
}

export class NewTree {
  /** @param {number} capacity maximum number of nodes @param {Uint32Array} ranks frame -> rank among siblings */
  constructor(capacity, ranks) {
    this.ranks = ranks;
    this.capacity = capacity;
    this.count = 1;
    this.parents = takeColumn('parents', capacity);
    this.frames = takeColumn('frames', capacity);
    this.lastChildren = takeColumn('lastChildren', capacity);
    this.siblings = takeColumn('siblings', capacity);  // sibling created before it; 0: none
    this.states = takeColumn('states', capacity);
    // Computed at the end.
    this.ends = takeColumn('ends', capacity);
    this.table = new Uint32Array(0);
    this.hashed = 0;
  }

  /** For requests in any order; ranks are needed only at the end. */
  static inAnyOrder(capacity) {
    const tree = new NewTree(capacity, null);
    tree.states.fill(OUT_OF_ORDER | LATE, 0, capacity);
    return tree;
  }

  /** @return {number} the node's child with this frame */
  child(parent, frame) {
    const last = this.lastChildren[parent];
    if (last === 0) return this.append(parent, frame, last);
    const lastFrame = this.frames[last];
    const state = this.states[parent];
    if (lastFrame === frame) {
      // Its new children come after nodes created elsewhere.
      if (state & LATE) this.states[last] |= LATE;
      return last;
    }
    const isInOrder = (state & (OUT_OF_ORDER | HASHED)) === 0 && this.ranks[lastFrame] < this.ranks[frame];
    if (isInOrder) return this.append(parent, frame, last);
    const found = this.search(parent, frame, state);
    if (found !== 0) {
      this.markLate(found);
      return found;
    }
    if (!(state & OUT_OF_ORDER) && this.ranks[frame] < this.ranks[lastFrame]) {
      this.states[parent] |= OUT_OF_ORDER;
      this.markLate(parent);
    }
    return this.append(parent, frame, last);
  }

  /** Marks the node and its ancestors as late. */
  markLate(node) {
    for (; (this.states[node] & LATE) === 0; node = this.parents[node]) this.states[node] |= LATE;
  }

  append(parent, frame, last) {
    if (this.count === this.capacity) this.grow();
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
      if (!(state & OUT_OF_ORDER) && ranks[frames[node]] < ranks[frame]) return 0;
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
    this.capacity = 2 * this.count + 16;
    for (const [column, Column] of Object.entries(columnTypes)) {
      const larger = new Column(this.capacity);
      if (column === 'states' && this.ranks === null) larger.fill(OUT_OF_ORDER | LATE);
      larger.set(this[column].subarray(0, this.count));
      this[column] = larger;
    }
  }

  /**
   * Ends the construction.
   * @return {Generator} of {parents, frames, ends, numbers: number from child() -> number in preorder, or null if
   *     they are the same}
   */
  * finish() {
    const {count} = this;
    yield* this.settleEnds();
    if ((this.states[0] & LATE) === 0) {
      const [parents, frames, ends] = [this.parents, this.frames, this.ends].map((column) => column.subarray(0, count));
      yield* this.leave(['lastChildren', 'siblings', 'states']);
      return {parents, frames, ends, numbers: null};
    }
    const [parents, frames, ends, numbers] = Array.from({length: 4}, () => new Uint32Array(count));
    const made = {parents, frames, ends, numbers};
    const order = new Order(this, made);
    while (order.next < count) {
      order.go(Math.min(count, order.next + SLICE));
      yield;
    }
    order.close(0);
    yield* this.leave(Object.keys(columnTypes));
    return made;
  }

  /** Clears columns and keeps them for the next tree. */
  * leave(columns) {
    for (const name of columns) {
      spare[name] = this[name].fill(0, 0, name === 'states' ? this.capacity : this.count);
      yield;
    }
  }

  /** Computes subtree ends. They are valid for nodes that are not late: their descendants follow them directly. */
  * settleEnds() {
    const {parents, ends} = this;
    yield* inSlicesBackwards(this.count, (from, to) => {
      for (let node = to - 1; node >= from; node--) {
        if (ends[node] === 0) ends[node] = node + 1;
        if (ends[parents[node]] === 0) ends[parents[node]] = ends[node];
      }
    });
  }

  /** Pushes the children, the last one first, so that the first one is popped next. */
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

/** Copies the values from `begin` to `end`, each larger by `shift`. */
function addTo(target, at, values, begin, end, shift) {
  for (let i = begin; i < end; i++) target[at++] = values[i] + shift;
}

/** Traverses a tree in preorder. */
class Order {
  constructor(tree, made) {
    this.tree = tree;
    this.made = made;
    this.next = 0;
    // Stack of nodes whose parent was visited.
    this.waiting = new Uint32Array(tree.count);
    this.left = 1;
    // Numbers of late nodes whose subtree is not complete, and the stack's height when each was visited.
    this.open = [];
    this.heights = [];
  }

  go(stop) {
    const {tree, waiting, made} = this;
    while (this.next < stop) {
      this.close(this.left);
      const node = waiting[--this.left];
      if (tree.states[node] & LATE) {
        this.open.push(this.next);
        this.heights.push(this.left);
        this.move(node, node + 1, made);
        this.left = tree.pushChildren(node, waiting, this.left);
      } else {
        this.move(node, tree.ends[node], made);
      }
    }
  }

  /** Sets the ends of nodes whose subtrees are complete. */
  close(left) {
    while (this.open.length > 0 && this.heights.at(-1) >= left) {
      this.made.ends[this.open.pop()] = this.next;
      this.heights.pop();
    }
  }

  /** Gives the next numbers to the nodes from `from` to `to`: a node, or a whole subtree. */
  move(from, to, {parents, frames, ends, numbers}) {
    const {tree, next} = this;
    const shift = next - from;
    numbers[from] = next;
    parents[next] = numbers[tree.parents[from]];
    frames[next] = tree.frames[from];
    ends[next] = tree.ends[from] + shift;
    if (to > from + 1) {
      frames.set(tree.frames.subarray(from + 1, to), next + 1);
      addTo(parents, next + 1, tree.parents, from + 1, to, shift);
      addTo(ends, next + 1, tree.ends, from + 1, to, shift);
      for (let node = from + 1; node < to; node++) numbers[node] = node + shift;
    }
    this.next += to - from;
  }
}
