// Makes a shape of another one where it is known only node by node where each lies in the new tree.

import {NewTree} from './new_tree.js';
import {NOWHERE, shapeOf} from './shape.js';
import {inSlices} from './slices.js';

/**
 * @param {NewTree} tree @param {import('./shape.js').Shape} old
 * @param {Uint32Array} places node of the old shape -> node as the tree told it @return {Generator} of a Shape
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
 * A frame is one with the same frame further out, and what lies between them goes from this stack.
 * @param {import('./shape.js').Shape} shape @param {import('./frame_table.js').FrameTable} table
 * @param {Uint8Array} mask frame -> 1 where that is so @return {Generator} of a Shape
 */
export function* collapseWithGaps(shape, {ranks, frameNames: {values: names}}, mask) {
  const {parents, frames, size} = shape;
  const tree = new NewTree(size, ranks);
  const places = new Uint32Array(size);
  // How often a name is on the way from the root to the node that came last, so that most need no look upwards.
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
      // What lies between may get children after it has.
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
