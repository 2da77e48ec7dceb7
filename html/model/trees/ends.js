// Selects rows by the family of their innermost frame, as the legend counts them.

import {familiesOfFrames, families} from '../data/kinds.js';
import {inSlices} from '../slices.js';
import {NOWHERE} from './shape.js';

// Table of frames -> their families.
const known = new WeakMap();

/**
 * @param {import('./shape.js').Shape} shape @param {import('../data/frame_table.js').FrameTable} table
 * @param {string[]} ends  ids of families that are kept; none: all
 * @param {?Uint8Array} kept  row -> 1 if other filters keep it; null: all
 * @return {Generator} of a Uint8Array, row -> 1 if it is kept, or null: all rows
 */
export function* keepEnds(shape, table, ends, kept) {
  if (ends.length === 0) return kept;
  const isWanted = families().map(({id}) => ends.includes(id));
  const familyOfFrame = familiesOf(table);
  const looks = shape.looks ?? shape.frames;
  const {rowNodes} = shape;
  const chosen = new Uint8Array(rowNodes.length);
  yield* inSlices(rowNodes.length, (from, to) => {
    for (let row = from; row < to; row++) {
      const node = rowNodes[row];
      if (node === NOWHERE || node === 0 || (kept !== null && kept[row] === 0)) continue;
      if (isWanted[familyOfFrame[looks[node]]]) chosen[row] = 1;
    }
  });
  return chosen;
}

/** Transforms may add frames to the same table. */
function familiesOf(table) {
  if (known.get(table)?.length !== table.count) known.set(table, familiesOfFrames(table));
  return known.get(table);
}
