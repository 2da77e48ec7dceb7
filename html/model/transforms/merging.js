// Applies a rule (rules.js) to a shape. The new tree is built in preorder: the children of a new node are the children of all the old
// nodes merged into it, grouped by frame. A subtree that the rule does not change, and that is merged with no other, is copied.
//
// Hiding x:
//
//   0 ── 1 a ─┬─ 2 b ── 3 d        becomes   0 ── 1 a ── 2 b ── 3 d
//             └─ 4 x ── 5 b ── 6 d
//
//   old node            1   2   3   4   5   6
//   places: new node    1   2   3   1   2   3
//   queue after a was made: {first 2, last 5, frame b, parent 1}, with twins[2] = 5
//
// Invariants:
//   - An entry of the queue is a new node that is still to be made, of the old nodes first, twins[first], … last. An old node is in
//     one such chain at most, and twins[last] has no meaning.
//   - The entry on top is the next node in preorder. Its parent has been made, and is `last` or an ancestor of it: close() ends the
//     nodes between the two.
//   - places[old] is the new node that has the value of the old one; it is set when that node is made.

import {changesOf, HIDDEN} from './rules.js';
import {NOWHERE, shapeOf} from '../trees/shape.js';
import {inSlices} from '../slices.js';

const SLICE = 1 << 15;
const FIELDS = 4;
// Up to this number of siblings insertion sort is used.
const FEW = 16;
// If more than one in LEFT_ALONE frames changes, few subtrees are unchanged, and they are not searched for.
const LEFT_ALONE = 16;

/**
 * @param {import('../trees/shape.js').Shape} shape @param {Uint32Array} ranks see FrameTable @param {import('./rules.js').Rule} rule
 * @return {Generator} of a Shape
 */
export function* applyRule(shape, ranks, rule) {
  const merge = new Merge(shape, ranks, rule, yield* changedNodes(shape, rule));
  yield* merge.begin();
  while (merge.waiting > 0) {
    merge.makeSome(SLICE);
    yield* merge.finishCopy();
  }
  merge.close(0);
  merge.ends[0] = merge.count;
  const {count, places} = merge;
  const [parents, frames, ends] = [merge.parents, merge.frames, merge.ends].map((column) => column.subarray(0, count));
  return yield* shapeOf({parents, frames, ends}, shape, places);
}

/** @return {Generator} of a Uint8Array: node -> 1 if it or a descendant changes, or may change */
function* changedNodes({parents, frames, size}, rule) {
  const changes = changesOf(rule);
  const {names} = rule;
  const isChanged = new Uint8Array(size);
  const some = changes.reduce((sum, change) => sum + (change === 1), 0);
  if (some > changes.length / LEFT_ALONE) return isChanged.fill(1);
  yield* inSlices(size, (from, to) => {
    for (let node = Math.max(from, 1); node < to; node++) {
      const change = changes[frames[node]];
      if (change === 0) continue;
      if (change === 2 && (parents[node] === 0 || names[frames[parents[node]]] !== names[frames[node]])) continue;
      for (let at = node; isChanged[at] === 0; at = parents[at]) isChanged[at] = 1;
    }
  }, 2 * SLICE);
  return isChanged;
}

class Merge {
  constructor(shape, ranks, rule, isChanged) {
    const {size} = shape;
    Object.assign(this, {shape, ranks, rule, isChanged});
    this.count = 0;
    this.parents = new Uint32Array(size);
    this.frames = new Uint32Array(size);
    this.ends = new Uint32Array(size);
    this.places = new Uint32Array(size);
    // Old node -> next old node merged into the same new node.
    this.twins = new Uint32Array(size);
    // Stack of new nodes to make, FIELDS numbers each: first and last old node, frame, parent. The next one is on top.
    this.queue = new Uint32Array(FIELDS << 10);
    this.waiting = 0;
    // Frame -> 1 + index of the waiting child with this frame, for the node whose children are being gathered.
    this.slots = new Uint32Array(ranks.length);
    // The node made last, or the root of the subtree copied last.
    this.last = 0;
    // Range of old nodes being copied.
    this.copied = 0;
    this.copyEnd = 0;
  }

  /** Makes the root. */
  * begin() {
    const {shape: {frames, ends, size}, rule: {beginnings}} = this;
    this.count = 1;
    if (beginnings === null) return this.gather(0, 0, 0, NOWHERE);
    this.places.fill(NOWHERE);
    let next = 1;
    yield* inSlices(size, (from, to) => {
      while (next < to) {
        const isBeginning = beginnings[frames[next]] === 1;
        if (isBeginning) this.add(next, frames[next], 0);
        next = isBeginning ? ends[next] : next + 1;
      }
    }, 2 * SLICE);
    return this.order(0);
  }

  /** Makes the next nodes, until a large subtree has to be copied. */
  makeSome(most) {
    const {isChanged, rule} = this;
    for (let left = most; left > 0 && this.waiting > 0 && this.copied === this.copyEnd; left--) {
      const at = this.waiting -= FIELDS;
      const {queue} = this;
      const first = queue[at];
      const last = queue[at + 1];
      const frame = queue[at + 2];
      const parent = queue[at + 3];
      this.close(parent);
      if (rule.endings[frame] === 1) {
        this.end(first, last, this.append(frame, parent));
      } else if (first !== last) {
        left -= this.gather(first, last, this.append(frame, parent), rule.names[frame]);
      } else if (isChanged[first] === 0) {
        left -= this.copyBelow(first, this.append(frame, parent));
      } else {
        left -= this.followChain(first, frame, parent);
      }
    }
  }

  /** @return {number} the new node */
  append(frame, parent) {
    const node = this.count++;
    this.parents[node] = parent;
    this.frames[node] = frame;
    this.last = node;
    return node;
  }

  /** Makes a node and its descendants as long as each has a single child. @return {number} number of descendants made */
  followChain(first, frame, parent) {
    const {shape: {frames, ends}, rule: {frameOf, endings, joining, names}, places} = this;
    const end = ends[first];
    for (let old = first;; old++) {
      const node = this.append(frame, parent);
      places[old] = node;
      if (old + 1 === end) return old - first;
      const below = frames[old + 1];
      const isMerged = frameOf[below] === HIDDEN || (joining[below] === 1 && names[below] === names[frame]);
      if (ends[old + 1] !== end || isMerged || endings[below] === 1) {
        return old - first + this.gather(old, old, node, names[frame]);
      }
      frame = frameOf[below];
      parent = node;
    }
  }

  /** Sets the ends of the nodes from the last one outwards, up to a child of `node`. */
  close(node) {
    const {parents, ends, count} = this;
    for (let at = this.last; at !== node; at = parents[at]) ends[at] = count;
  }

  /** Counts everything below these old nodes as self value of the new one. */
  end(first, last, node) {
    const {shape: {ends}, places, twins} = this;
    for (let old = first;; old = twins[old]) {
      places.fill(node, old, ends[old]);
      if (old === last) break;
    }
  }

  /** Queues the children of a new node, from those of its old nodes. @return {number} their number */
  gather(first, last, node, name) {
    const {shape: {frames, ends}, rule: {frameOf, joining, names}, places, twins, waiting} = this;
    let children = 0;
    for (let old = first;; old = twins[old]) {
      places[old] = node;
      const end = ends[old];
      for (let child = old + 1; child < end;) {
        const frame = frames[child];
        const becomes = frameOf[frame];
        children++;
        if (becomes === HIDDEN || (joining[frame] === 1 && names[frame] === name)) {
          // Its children come next.
          places[child++] = node;
        } else {
          this.add(child, becomes, node);
          child = ends[child];
        }
      }
      if (old === last) break;
    }
    this.order(waiting);
    return children;
  }

  add(old, frame, parent) {
    const slot = this.slots[frame];
    if (slot > 0) {
      // queue[slot] holds the last old node of this child.
      this.twins[this.queue[slot]] = old;
      this.queue[slot] = old;
      return;
    }
    const at = this.waiting;
    if (at === this.queue.length) this.grow();
    const {queue} = this;
    this.waiting += FIELDS;
    queue[at] = old;
    queue[at + 1] = old;
    queue[at + 2] = frame;
    queue[at + 3] = parent;
    this.slots[frame] = at + 1;
  }

  grow() {
    const larger = new Uint32Array(4 * this.waiting);
    larger.set(this.queue);
    this.queue = larger;
  }

  /** Sorts the gathered children, the first one on top of the stack. */
  order(begin) {
    const {slots, queue, waiting, ranks} = this;
    for (let at = begin; at < waiting; at += FIELDS) slots[queue[at + 2]] = 0;
    if (waiting - begin > FEW * FIELDS) return this.orderMany(begin);
    for (let at = begin + FIELDS; at < waiting; at += FIELDS) {
      const first = queue[at];
      const last = queue[at + 1];
      const frame = queue[at + 2];
      let to = at;
      for (; to > begin && ranks[queue[to - FIELDS + 2]] < ranks[frame]; to -= FIELDS) {
        queue[to] = queue[to - FIELDS];
        queue[to + 1] = queue[to - FIELDS + 1];
        queue[to + 2] = queue[to - FIELDS + 2];
      }
      queue[to] = first;
      queue[to + 1] = last;
      queue[to + 2] = frame;
    }
    return undefined;
  }

  orderMany(begin) {
    const {ranks, queue, waiting} = this;
    const children = queue.slice(begin, waiting);
    const order = Uint32Array.from({length: children.length / FIELDS}, (_, i) => FIELDS * i);
    order.sort((a, b) => ranks[children[b + 2]] - ranks[children[a + 2]]);
    order.forEach((child, i) => queue.set(children.subarray(child, child + FIELDS), begin + FIELDS * i));
  }

  /** Copies the subtree below an old node to a new one. @return {number} nodes copied; 0 if finishCopy() will copy them */
  copyBelow(old, node) {
    const end = this.shape.ends[old];
    this.shift = node - old;
    this.places[old] = node;
    this.ends[node] = end + this.shift;
    this.count = end + this.shift;
    if (end - old > SLICE) {
      this.copied = old + 1;
      this.copyEnd = end;
      return 0;
    }
    this.copy(old + 1, end);
    return end - old - 1;
  }

  * finishCopy() {
    while (this.copied < this.copyEnd) {
      const to = Math.min(this.copyEnd, this.copied + SLICE);
      this.copy(this.copied, to);
      this.copied = to;
      yield;
    }
    yield;
  }

  copy(begin, end) {
    const {shape, shift, parents, frames, ends, places} = this;
    for (let old = begin; old < end; old++) {
      const node = old + shift;
      parents[node] = shape.parents[old] + shift;
      frames[node] = shape.frames[old];
      ends[node] = shape.ends[old] + shift;
      places[old] = node;
    }
  }
}
