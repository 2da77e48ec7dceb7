// Makes a shape of another one, node by node: a rule says where each node of the old tree lies in the new one.

import {NewTree} from './new_tree.js';
import {NOWHERE, Shape} from './shape.js';
import {inSlices} from './slices.js';

/**
 * @typedef {Object} Rule
 * @property {number} root  where stacks begin: 0, or NOWHERE until place() says otherwise
 * @property {function(NewTree, number, number, number): number} place  (new tree, frame, where the parent lies, node) ->
 *     where the node lies; the parent's place when the frame is not to be seen
 * @property {Uint8Array=} touched  frame -> 1 when its nodes may be changed; where none below a node is, all of that is copied. Absent:
 *     all may be
 * @property {(function(number): boolean)=} touches  whether a node of such a frame is changed; absent: it is
 */

/** @param {Shape} shape @param {Uint32Array} ranks see FrameTable @param {Rule} rule @return {Generator} of a Shape */
export function* placeNodes(shape, ranks, rule) {
  const {parents, frames, ends} = shape;
  const isTouched = yield* touchedNodes(shape, rule);
  const tree = new NewTree(shape.size, ranks);
  const places = new Uint32Array(shape.size);
  places[0] = rule.root;
  let next = 1;
  yield* inSlices(shape.size, (from, to) => {
    let node = next;
    while (node < to) {
      const {count} = tree;
      const place = rule.place(tree, frames[node], places[parents[node]], node);
      places[node] = place;
      if (place === count && isTouched[node] === 0) {
        tree.copyBelow(place, shape, node);
        numberFrom(places, node + 1, ends[node], place + 1);
        node = ends[node];
      } else {
        node++;
      }
    }
    next = node;
  });
  return yield* shapeOf(tree, shape, places);
}

function numberFrom(numbers, begin, end, first) {
  for (let i = begin, number = first; i < end; i++) numbers[i] = number++;
}

/** @return {Generator} of a Uint8Array: node -> 1 when it or one below it is changed */
function* touchedNodes({parents, frames, size}, {touched, touches}) {
  const isTouched = new Uint8Array(size);
  if (!touched) return isTouched.fill(1);
  yield* inSlices(size, (from, to) => {
    for (let node = Math.max(from, 1); node < to; node++) {
      if (touched[frames[node]] === 0 || (touches && !touches(node))) continue;
      for (let at = node; isTouched[at] === 0; at = parents[at]) isTouched[at] = 1;
    }
  });
  return isTouched;
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

/** For a frame that goes, and leaves its weight to its caller. */
export const HIDDEN = 0xffffffff;

/** Frames become others. @param {Uint32Array} frameOf frame -> the one it becomes, or HIDDEN */
export function renaming(frameOf) {
  const place = (tree, frame, parent) => frameOf[frame] === HIDDEN ? parent : tree.child(parent, frameOf[frame]);
  return {root: 0, place, touched: Uint8Array.from(frameOf, (to, frame) => to === frame ? 0 : 1)};
}

/** @param {Uint8Array} mask frame -> 1: all below the outermost of them is its own weight */
export function folding(mask, {ends}) {
  let foldedUntil = 0;
  const place = (tree, frame, parent, node) => {
    if (node < foldedUntil) return parent;
    if (mask[frame]) foldedUntil = ends[node];
    return tree.child(parent, frame);
  };
  return {root: 0, place, touched: mask};
}

/** The outermost of these frames is where stacks begin; those that have none go. */
export function keepingBelow(mask) {
  const place = (tree, frame, parent) => {
    if (parent !== NOWHERE) return tree.child(parent, frame);
    return mask[frame] ? tree.child(0, frame) : NOWHERE;
  };
  return {root: NOWHERE, place, touched: new Uint8Array(mask.length)};
}

/** A frame that its caller has, too, is one with it. @param {Uint32Array} names frame -> name */
export function collapsing(mask, names, {parents, frames}) {
  const isSame = (tree, node, frame) => node !== 0 && names[tree.frames[node]] === names[frame];
  const place = (tree, frame, parent) => mask[frame] && isSame(tree, parent, frame) ? parent : tree.child(parent, frame);
  const touches = (node) => parents[node] !== 0 && names[frames[parents[node]]] === names[frames[node]];
  return {root: 0, place, touched: mask, touches};
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
