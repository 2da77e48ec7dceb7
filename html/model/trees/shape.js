// The structure of a tree without values. Transforms make a new shape; lens, time and label filters only change the values of rows.

import {inSlices, inSlicesBackwards} from '../slices.js';

/** Place of a row or node whose stack was dropped. */
export const NOWHERE = 0xffffffff;

export class Shape {
  /**
   * @param {Object} columns
   * @param {Uint32Array} columns.parents  node -> parent, in preorder @param {Uint32Array} columns.frames
   * @param {Uint32Array} columns.ends  node -> the number after its last descendant
   * @param {Uint32Array} columns.rowNodes  row -> node, or NOWHERE
   * @param {?Uint32Array} columns.looks  node -> the frame that gives its colour; null: its own
   * @param {?Origin} columns.origin  of the shape
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

  /** Returns the same tree with fewer stacks. */
  withRows(rowNodes) { return new Shape({...this, rowNodes}); }
}

/**
 * @typedef {Object} Origin  how the nodes of a shape were made
 * @property {Shape} shape  the shape it was made from
 * @property {?Uint32Array} places  old node -> new node that counts its weight; null: not known
 * @property {?Uint32Array} sources  new node -> old node, if an old node became several new ones
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

/** @return {Generator} of a Float64Array: totals including descendants, from self values */
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

/** Same as addUp(), overwriting the self values with the totals. */
export function* addUpInPlace(parents, values) {
  yield* inSlicesBackwards(parents.length, (from, to) => {
    for (let node = to - 1; node >= Math.max(from, 1); node--) values[parents[node]] += values[node];
  });
  return values;
}

/**
 * @param {Float64Array} values row -> value @param {?Uint8Array} kept row -> 1 if it counts; null: all rows
 * @return {Generator} of a Float64Array: node -> self value
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

/** Each node gets the colour of the first old node with the same frame. */
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

/** @return {boolean} whether the node itself appears at its place, and not only its weight */
export function isSeen({parents}, places, node) {
  return places[node] !== NOWHERE && places[node] !== places[parents[node]];
}
