// Groups stacks by a label: each value becomes an outermost frame.

import {THREAD} from '../data/kinds.js';
import {NOWHERE, Shape, subtreeEnds} from './shape.js';
import {inSlices} from '../slices.js';

const NO_VALUE = null;

/** Threads of one pool differ in the number at the end of their names. A label of this name that the profile has goes first. */
const POOL = 'pool';
const USED = ['thread', POOL, 'endpoint', 'route', 'state'];

/** @return {string[]} keys that stacks can be grouped by: those of labels, and the pool of a thread */
export function groupKeys({labels}) {
  const keys = [...new Set(labels.map(({key}) => key))];
  return keys.includes('thread') && !keys.includes(POOL) ? [...keys, POOL] : keys;
}

/** @return {string[]} groupKeys(), the most useful ones first, numbers last */
export function keysByUse(profile) {
  const isNumber = (key) => profile.labels.some((label) => label.key === key && !label.isText);
  const rank = (key) => isNumber(key) ? USED.length + 1 : USED.includes(key) ? USED.indexOf(key) : USED.length;
  return groupKeys(profile).sort((a, b) => rank(a) - rank(b));
}

/** @return {string} pool-1-thread-* */
export function poolOf(thread) { return thread.replace(/\d+$/, '*'); }

/**
 * @param {import('../data/decode.js').Profile} profile @param {string} key
 * @return {(?string|number)[]} label set -> value of this label, null: none
 */
export function labelValues({labels, labelSets}, key) {
  const isPool = key === POOL && !labels.some((label) => label.key === POOL);
  const wanted = isPool ? 'thread' : key;
  const values = labelSets.map((set) => set.find(({label}) => labels[label].key === wanted)?.value ?? NO_VALUE);
  return isPool ? values.map((value) => value === NO_VALUE ? value : poolOf(String(value))) : values;
}

/** @return {string} name of the frame of a group */
export function groupName(key, value) {
  if (value === NO_VALUE) return `[no ${key}]`;
  return key === 'thread' || key === POOL ? `[${value}]` : `[${key}: ${value}]`;
}

/**
 * @param {Shape} shape @param {import('../data/decode.js').Profile} profile @param {import('../data/frame_table.js').FrameTable} table
 * @param {string} key of a label @return {Generator} of a Shape
 */
export function* groupBy(shape, profile, table, key) {
  const {frames, order, starts} = yield* groupsOf(shape, profile, table, key);
  const tree = new Copies(shape);
  for (let group = 0; group < frames.length; group++) {
    const begin = starts[group];
    const end = starts[group + 1];
    if (begin === end) continue;
    tree.begin(frames[group]);
    yield* inSlices(end - begin, (from, to) => {
      for (let i = begin + from; i < begin + to; i++) tree.add(order[i]);
    });
  }
  return yield* tree.finish();
}

/**
 * @typedef {Object} Groups
 * @property {number[]} frames group -> its frame, in the order of siblings
 * @property {Uint32Array} groupOfSet label set -> group
 * @property {Uint32Array} order rows in the tree, ordered by group, then by node
 * @property {Uint32Array} starts group -> index of its first row in `order`
 */

/** @return {Generator} of the Groups of a label, with the arguments of groupBy() */
export function* groupsOf(shape, profile, table, key) {
  const frameOfSet = labelValues(profile, key).map((value) => table.made(groupName(key, value), THREAD));
  const {ranks} = table;
  const frames = [...new Set(frameOfSet)].sort((a, b) => ranks[a] - ranks[b]);
  const groupOfFrame = new Map(frames.map((frame, group) => [frame, group]));
  const groupOfSet = Uint32Array.from(frameOfSet, (frame) => groupOfFrame.get(frame));
  const {rowSets} = profile;
  const groupOf = (row) => groupOfSet[rowSets ? rowSets[row] : 0];
  return {frames, groupOfSet, ...yield* countingSort(yield* rowsByNode(shape), groupOf, frames.length)};
}

function* rowsByNode({rowNodes, size}) {
  const rows = new Uint32Array(rowNodes.length);
  let kept = 0;
  let last = 0;
  let isInOrder = true;
  yield* inSlices(rowNodes.length, (from, to) => {
    for (let row = from; row < to; row++) {
      const node = rowNodes[row];
      if (node === NOWHERE) continue;
      isInOrder &&= last <= node;
      last = node;
      rows[kept++] = row;
    }
  });
  const some = rows.subarray(0, kept);
  return isInOrder ? some : (yield* countingSort(some, (row) => rowNodes[row], size)).order;
}

function* countingSort(rows, keyOf, keys) {
  const starts = new Uint32Array(keys + 1);
  yield* inSlices(rows.length, (from, to) => {
    for (let i = from; i < to; i++) starts[keyOf(rows[i]) + 1]++;
  });
  for (let key = 0; key < keys; key++) starts[key + 1] += starts[key];
  const next = starts.slice();
  const order = new Uint32Array(rows.length);
  yield* inSlices(rows.length, (from, to) => {
    for (let i = from; i < to; i++) order[next[keyOf(rows[i])]++] = rows[i];
  });
  return {order, starts};
}

// Numbers per block of a column; a power of two.
const BLOCK = 1 << 20;

/** A tree of copies of subtrees: for each group the nodes on the paths to its rows. */
class Copies {
  constructor(shape) {
    this.shape = shape;
    this.count = 1;
    // The number of nodes is not known in advance, and moving them would take too long, so columns grow by blocks.
    this.blocks = [];
    this.addBlock();
    this.rowNodes = new Uint32Array(shape.rowNodes.length).fill(NOWHERE);
    // Node of the shape -> its last copy. Copies of the current group have numbers from the group's node on.
    this.copies = new Uint32Array(shape.size);
    this.missing = [];
  }

  begin(frame) {
    this.group = this.append(0, 0, frame);
    this.copies[0] = this.group;
  }

  addBlock() {
    this.last = {sources: new Uint32Array(BLOCK), parents: new Uint32Array(BLOCK), frames: new Uint32Array(BLOCK)};
    this.blocks.push(this.last);
  }

  append(source, parent, frame) {
    const at = this.count % BLOCK;
    if (at === 0) this.addBlock();
    this.last.sources[at] = source;
    this.last.parents[at] = parent;
    this.last.frames[at] = frame;
    return this.count++;
  }

  /** @return {Generator} of a Uint32Array: one column as a single array */
  * column(name) {
    const whole = new Uint32Array(this.count);
    for (let i = 0; i < this.blocks.length; i++) {
      const begin = i * BLOCK;
      whole.set(this.blocks[i][name].subarray(0, this.count - begin), begin);
      this.blocks[i][name] = null;
      yield;
    }
    return whole;
  }

  /** Adds a row. The rows of a group are added in the order of their nodes. */
  add(row) {
    const {copies, group, missing} = this;
    const {rowNodes, parents, frames} = this.shape;
    const node = rowNodes[row];
    for (let at = node; copies[at] < group; at = parents[at]) missing.push(at);
    while (missing.length > 0) {
      const source = missing.pop();
      copies[source] = this.append(source, copies[parents[source]], frames[source]);
    }
    this.rowNodes[row] = copies[node];
  }

  * finish() {
    const {shape, count} = this;
    const sources = yield* this.column('sources');
    const parents = yield* this.column('parents');
    const frames = yield* this.column('frames');
    const ends = yield* subtreeEnds(parents);
    const looks = shape.looks && frames.slice();
    if (looks) {
      yield* inSlices(count, (from, to) => {
        for (let node = from; node < to; node++) {
          if (sources[node] !== 0) looks[node] = shape.looks[sources[node]];
        }
      });
    }
    return new Shape({parents, frames, ends, rowNodes: this.rowNodes, looks, origin: {shape, places: null, sources}});
  }
}
