// A tree without its values: how a profile's stacks lie in each other. Transforms make another shape of one; lenses, time and
// label filters only change what its rows weigh.

import {inSlices, inSlicesBackwards} from './slices.js';

/** A row's or a node's place: the stack has been dropped. */
export const NOWHERE = 0xffffffff;

export class Shape {
  /**
   * @param {Object} columns
   * @param {Uint32Array} columns.parents  node -> parent, in preorder @param {Uint32Array} columns.frames
   * @param {Uint32Array} columns.ends  node -> the number after its last descendant
   * @param {Uint32Array} columns.rowNodes  row -> node, or NOWHERE
   * @param {?Uint32Array} columns.looks  node -> the frame whose colour it has, where that is another than its own
   * @param {?Origin} columns.origin  where it comes from
   */
  constructor({parents, frames, ends, rowNodes, looks = null, origin = null}) {
    this.parents = parents;
    this.frames = frames;
    this.ends = ends;
    this.rowNodes = rowNodes;
    this.looks = looks;
    this.origin = origin;
  }

  get size() { return this.parents.length; }

  /** The same tree, of fewer of the stacks. */
  withRows(rowNodes) { return new Shape({...this, rowNodes}); }
}

/**
 * @typedef {Object} Origin  of the nodes of a shape
 * @property {Shape} shape  that it was made of
 * @property {?Uint32Array} places  node there -> where its weight is here; null: not known
 * @property {?Uint32Array} sources  node here -> node there, of a shape in which one node there has become several
 */

/** @return {Generator} of a Uint32Array: for every node of a preorder numbering, the number after its last descendant */
export function* subtreeEnds(parents) {
  const ends = new Uint32Array(parents.length);
  yield* inSlicesBackwards(parents.length, (from, to) => {
    for (let node = to - 1; node >= from; node--) {
      if (ends[node] === 0) ends[node] = node + 1;
      const parent = parents[node];
      if (ends[parent] === 0) ends[parent] = ends[node];
    }
  });
  return ends;
}

/** @return {Generator} of a Float64Array: of own values, the values with all that lies below */
export function* addUp(parents, selfs) {
  const totals = new Float64Array(selfs.length);
  yield* inSlicesBackwards(parents.length, (from, to) => {
    for (let node = to - 1; node >= Math.max(from, 1); node--) {
      const total = totals[node] + selfs[node];
      totals[node] = total;
      totals[parents[node]] += total;
    }
  });
  totals[0] += selfs[0];
  return totals;
}

/** The same of values that nobody needs any more: they become the totals. */
export function* addUpInPlace(parents, values) {
  yield* inSlicesBackwards(parents.length, (from, to) => {
    for (let node = to - 1; node >= Math.max(from, 1); node--) values[parents[node]] += values[node];
  });
  return values;
}

/**
 * @param {Float64Array} values row -> value @param {?Uint8Array} kept row -> 1 where it counts; null: all do
 * @return {Generator} of a Float64Array: node -> own value
 */
export function* sumRows({size, rowNodes}, values, kept) {
  const selfs = new Float64Array(size);
  yield* inSlices(rowNodes.length, (from, to) => {
    for (let row = from; row < to; row++) {
      const node = rowNodes[row];
      if (node !== NOWHERE && (kept === null || kept[row] !== 0)) selfs[node] += values[row];
    }
  });
  return selfs;
}

/**
 * @param {{parents: Uint32Array, frames: Uint32Array, ends: Uint32Array}} columns of the new tree
 * @param {Uint32Array} places node of the old shape -> node of the new tree @return {Generator} of a Shape
 */
export function* shapeOf({parents, frames, ends}, old, places) {
  const rowNodes = new Uint32Array(old.rowNodes.length);
  yield* inSlices(rowNodes.length, (from, to) => {
    for (let row = from; row < to; row++) {
      const node = old.rowNodes[row];
      rowNodes[row] = node === NOWHERE ? NOWHERE : places[node];
    }
  });
  const shape = new Shape({parents, frames, ends, rowNodes, origin: {shape: old, places, sources: null}});
  if (old.looks) shape.looks = yield* carryLooks(old, shape, places);
  return shape;
}

/** A node looks as the first of those that it is made of, unless it has another frame than that. */
function* carryLooks(old, shape, places) {
  const looks = shape.frames.slice();
  const isSet = new Uint8Array(shape.size);
  yield* inSlices(old.size, (from, to) => {
    for (let node = Math.max(from, 1); node < to; node++) {
      const place = places[node];
      if (!isSeen(old, places, node) || isSet[place]) continue;
      isSet[place] = 1;
      if (shape.frames[place] === old.frames[node]) looks[place] = old.looks[node];
    }
  });
  return looks;
}

/** @return {boolean} whether the node is seen where it lies, and has not only left its weight there */
export function isSeen({parents}, places, node) {
  return places[node] !== NOWHERE && places[node] !== places[parents[node]];
}
