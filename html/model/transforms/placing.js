// Builds a shape from another one, given the new place of each node.

import {NewTree} from './new_tree.js';
import {NOWHERE, shapeOf} from '../trees/shape.js';
import {inSlices} from '../slices.js';

/**
 * @param {NewTree} tree @param {import('../trees/shape.js').Shape} old
 * @param {Uint32Array} places old node -> number from tree.child() @return {Generator} of a Shape
 */
export function* shapeOfTree(tree, old, places) {
  const {numbers, ...columns} = yield* tree.finish();
  if (numbers) {
    yield* inSlices(places.length, (from, to) => {
      for (let i = from; i < to; i++) {
        if (places[i] !== NOWHERE) places[i] = numbers[places[i]];
      }
    });
  }
  return yield* shapeOf(columns, old, places);
}

/**
 * Merges a frame into the same frame further out, and drops the frames between them.
 * @param {import('../trees/shape.js').Shape} shape @param {import('../data/frame_table.js').FrameTable} table
 * @param {Uint8Array} mask frame -> 1 if it is to be merged @return {Generator} of a Shape
 */
export function* collapseWithGaps(shape, {ranks, frameNames: {values: names}}, mask) {
  const {parents, frames, size} = shape;
  const tree = new NewTree(size, ranks);
  const places = new Uint32Array(size);
  // Name -> occurrences on the path to the last node. Most names have none, and need no search.
  const open = new Uint32Array(names.length);
  let last = 0;
  yield* inSlices(size, (from, to) => {
    for (let node = Math.max(from, 1); node < to; node++) {
      const frame = frames[node];
      const parent = places[parents[node]];
      for (; last !== parents[node]; last = parents[last]) open[names[frames[last]]]--;
      last = node;
      const isMet = open[names[frame]]++ > 0;
      const outer = isMet && mask[frame] ? outerOf(tree, parent, names, names[frame]) : 0;
      // Nodes between may get children later.
      if (outer !== 0) tree.markLate(parent);
      places[node] = outer !== 0 ? outer : tree.child(parent, frame);
    }
  });
  return yield* shapeOfTree(tree, shape, places);
}

/** @return {number} the innermost node of this name from `node` outwards, 0 when there is none */
function outerOf({parents, frames}, node, names, name) {
  while (node !== 0 && names[frames[node]] !== name) node = parents[node];
  return node;
}
