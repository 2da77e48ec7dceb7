// Makes a shape of another one, node by node: a rule says where each node of the old tree lies in the new one.

import {NewTree} from './new_tree.js';
import {NOWHERE, Shape} from './shape.js';
import {inSlices} from './slices.js';

/**
 * @typedef {Object} Rule
 * @property {number} root  where stacks begin: 0, or NOWHERE until place() says otherwise
 * @property {function(NewTree, number, number, number): number} place  (new tree, frame, where the parent lies, node) ->
 *     where the node lies; the parent's place when the frame is not to be seen
 */

/** @param {Shape} shape @param {Uint32Array} ranks see FrameTable @param {Rule} rule @return {Generator} of a Shape */
export function* placeNodes(shape, ranks, rule) {
  const {parents, frames} = shape;
  const tree = new NewTree(shape.size, ranks);
  const places = new Uint32Array(shape.size);
  places[0] = rule.root;
  yield* inSlices(shape.size, (from, to) => {
    for (let node = Math.max(from, 1); node < to; node++) {
      places[node] = rule.place(tree, frames[node], places[parents[node]], node);
    }
  });
  return yield* shapeOf(tree, shape, places);
}

/** @param {Uint32Array} places node of the old shape -> node of the new tree @return {Generator} of a Shape */
export function* shapeOf(tree, old, places) {
  const {parents, frames, ends, numbers} = yield* tree.finish();
  if (numbers) yield* renumber(places, numbers);
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

function* renumber(places, numbers) {
  yield* inSlices(places.length, (from, to) => {
    for (let i = from; i < to; i++) {
      if (places[i] !== NOWHERE) places[i] = numbers[places[i]];
    }
  });
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

/** Frames that read alike become one, in all the tree. @param {Uint32Array} frameOf frame -> the one it becomes */
export function renaming(frameOf) {
  return {root: 0, place: (tree, frame, parent) => tree.child(parent, frameOf[frame])};
}

/** For a frame that goes, and leaves its weight to its caller. */
export const HIDDEN = 0xffffffff;

/** As renaming(), of which some are HIDDEN. */
export function renamingOrHiding(frameOf) {
  return {root: 0, place: (tree, frame, parent) => frameOf[frame] === HIDDEN ? parent : tree.child(parent, frameOf[frame])};
}

/** @param {Uint8Array} mask frame -> 1: all below the outermost of them is its own weight */
export function folding(mask, {ends}) {
  let foldedUntil = 0;
  const place = (tree, frame, parent, node) => {
    if (node < foldedUntil) return parent;
    if (mask[frame]) foldedUntil = ends[node];
    return tree.child(parent, frame);
  };
  return {root: 0, place};
}

/** The outermost of these frames is where stacks begin; those that have none go. */
export function keepingBelow(mask) {
  const place = (tree, frame, parent) => {
    if (parent !== NOWHERE) return tree.child(parent, frame);
    return mask[frame] ? tree.child(0, frame) : NOWHERE;
  };
  return {root: NOWHERE, place};
}

/** A frame that its caller has, too, is one with it. @param {Uint32Array} names frame -> name */
export function collapsing(mask, names) {
  const isSame = (tree, node, frame) => node !== 0 && names[tree.frames[node]] === names[frame];
  const place = (tree, frame, parent) => mask[frame] && isSame(tree, parent, frame) ? parent : tree.child(parent, frame);
  return {root: 0, place};
}

/** A frame is one with the same frame further out, and what lies between them goes from this stack. */
export function collapsingWithGaps(mask, names, {parents, frames}) {
  // How often a name is on the way from the root to the node that came last, so that most need no look upwards.
  const open = new Uint32Array(names.length);
  let last = 0;
  const place = (tree, frame, parent, node) => {
    for (; last !== parents[node]; last = parents[last]) open[names[frames[last]]]--;
    last = node;
    const before = open[names[frame]]++;
    if (before === 0 || !mask[frame]) return tree.child(parent, frame);
    for (let at = parent; at !== 0; at = tree.parents[at]) {
      if (names[tree.frames[at]] !== names[frame]) continue;
      // What lies between may get children after `at` has.
      tree.markLate(parent);
      return at;
    }
    return tree.child(parent, frame);
  };
  return {root: 0, place};
}
