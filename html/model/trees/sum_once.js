// Sums over all nodes of a frame: self values, and totals that count each stack once even if the frame recurs in it.

import {inSlices} from '../slices.js';

/**
 * @param {import('./call_tree.js').CallTree} tree @param {function(number): number} keyOf  frame -> key of the sum
 * @param {number} keys  number of keys
 * @return {Generator} of {selfs, totals: for each of the tree's columns, key -> sum, isUsed: key -> 1, isFrameUsed: frame -> 1}
 */
export function* sumOnce(tree, keyOf, keys) {
  yield* tree.computeColumns();
  const {frames, ends, columns, sums, table} = tree;
  const keyOfFrame = Uint32Array.from({length: table.count}, (_, frame) => keyOf(frame));
  const [selfs, totals] = [0, 1].map(() => columns.map(() => new Float64Array(keys)));
  const isFrameUsed = new Uint8Array(table.count);
  const openUntil = new Uint32Array(keys);
  yield* inSlices(frames.length, (from, to) => {
    for (let node = Math.max(from, 1); node < to; node++) {
      const key = keyOfFrame[frames[node]];
      const isOutermost = node >= openUntil[key];
      if (isOutermost) openUntil[key] = ends[node];
      for (let column = 0; column < columns.length; column++) {
        const self = columns[column][node];
        const total = sums[column][node];
        if (self !== 0) selfs[column][key] += self;
        if (isOutermost) totals[column][key] += total;
        if (total !== 0) isFrameUsed[frames[node]] = 1;
      }
    }
  });
  const isUsed = new Uint8Array(keys);
  isFrameUsed.forEach((used, frame) => isUsed[keyOfFrame[frame]] |= used);
  return {selfs, totals, isUsed, isFrameUsed};
}
