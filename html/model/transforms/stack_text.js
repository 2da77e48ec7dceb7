// Matches patterns that span frames against the text of each stack. Slow, but correct for every pattern.

import {NewTree} from './new_tree.js';
import {fromStackText, inStackText} from './pattern.js';
import {shapeOfTree} from './placing.js';
import {NOWHERE} from '../trees/shape.js';
import {inSlices, inSlicesBackwards} from '../slices.js';

const SLICE = 1 << 8;
const STACKS_TRIED = 500;
const LOOK_AHEAD = 4;
const SEPARATOR = ';'.charCodeAt(0);

/** Texts of a shape's stacks. Common prefixes are joined once. */
class Texts {
  constructor({parents, frames}, table) {
    this.parents = parents;
    this.frames = frames;
    this.table = table;
    this.names = table.names.map(inStackText);
    this.nodes = [0];
    this.texts = [''];
  }

  /** @param {number} node not smaller than in the previous call */
  of(node) {
    const {nodes, texts, parents, frames, names, table} = this;
    const missing = [];
    for (let at = node;; at = parents[at]) {
      // Only smaller nodes of the previous stack can be ancestors.
      while (nodes.at(-1) > at) {
        nodes.pop();
        texts.pop();
      }
      if (nodes.at(-1) === at) break;
      missing.push(at);
    }
    for (let at = missing.pop(); at !== undefined; at = missing.pop()) {
      const name = names[table.frameNames.values[frames[at]]];
      texts.push(nodes.length === 1 ? name : `${texts.at(-1)};${name}`);
      nodes.push(at);
    }
    return texts.at(-1);
  }

  /**
   * Calls `take(frame)` for the frames of a text from `begin` on. Most are frames of the previous stack, starting at its frame
   * number `at`: comparing names is faster than looking them up.
   */
  framesOf(text, begin, at, take) {
    const {nodes, frames, names, table} = this;
    const last = frames[nodes.at(-1)];
    while (begin < text.length) {
      const separator = text.indexOf(';', begin);
      const end = separator < 0 ? text.length : separator;
      let found = -1;
      for (let i = at; found < 0 && i < Math.min(at + LOOK_AHEAD, nodes.length); i++) {
        const name = names[table.frameNames.values[frames[nodes[i]]]];
        if (name.length === end - begin && text.startsWith(name, begin)) found = i;
      }
      if (found >= 0) {
        take(frames[nodes[found]]);
      } else if (end > begin) {
        take(table.named(fromStackText(text.slice(begin, end)), last));
      }
      at = found >= 0 ? found + 1 : at + 1;
      begin = end + 1;
    }
  }
}

/** @return {string[]} texts of a sample of the stacks */
export function someTexts(shape, table) {
  const {rowNodes} = shape;
  const step = Math.max(1, Math.floor(rowNodes.length / STACKS_TRIED));
  const nodes = [];
  for (let row = 0; row < rowNodes.length; row += step) {
    if (rowNodes[row] !== NOWHERE) nodes.push(rowNodes[row]);
  }
  const texts = new Texts(shape, table);
  return nodes.sort((a, b) => a - b).map((node) => texts.of(node));
}

/** @return {Generator} of a Uint8Array: node -> 1 if a row has it */
function* nodesOfRows({size, rowNodes}) {
  const has = new Uint8Array(size);
  yield* inSlices(rowNodes.length, (from, to) => {
    for (let row = from; row < to; row++) {
      if (rowNodes[row] !== NOWHERE) has[rowNodes[row]] = 1;
    }
  });
  return has;
}

/** @return {Generator} of a Uint8Array: node -> 1 if it or a caller has such a frame */
export function* matchFramesAbove({parents, frames, size}, mask) {
  const matches = new Uint8Array(size);
  yield* inSlices(size, (from, to) => {
    for (let node = Math.max(from, 1); node < to; node++) matches[node] = matches[parents[node]] | mask[frames[node]];
  });
  return matches;
}

/** Clears `wanted` (node -> 1) for stacks that cannot match, to build fewer texts. */
function* leaveOut(shape, table, {conditions}, wanted) {
  for (const condition of conditions) {
    const matches = yield* matchFramesAbove(shape, table.mask((name) => condition(inStackText(name))));
    yield* inSlices(wanted.length, (from, to) => {
      for (let node = from; node < to; node++) wanted[node] &= matches[node];
    });
  }
}

/**
 * Tests the stacks whose result is not known.
 * @param {import('./pattern.js').Pattern} pattern
 * @param {Uint8Array} matches node -> 1 if its stack is known to match; further matches are added
 */
export function* matchStacks(shape, table, pattern, matches) {
  const texts = new Texts(shape, table);
  const regex = pattern.stack;
  const wanted = yield* nodesOfRows(shape);
  yield* leaveOut(shape, table, pattern, wanted);
  yield* inSlices(shape.size, (from, to) => {
    for (let node = from; node < to; node++) {
      if (wanted[node] && !matches[node] && regex.test(texts.of(node))) matches[node] = 1;
    }
  }, SLICE);
}

/**
 * Same as matchStacks() for a pattern that ends with a literal: below a frame that ends a match, all stacks match.
 * @param {import('./pattern.js').Pattern} pattern
 * @param {Uint8Array} matches node -> 1 if it or a caller is known to end a match; further ones are added
 */
export function* matchBeginnings(shape, table, pattern, matches) {
  const {parents, frames, size} = shape;
  const texts = new Texts(shape, table);
  const regex = pattern.stack;
  const condition = pattern.conditions.at(-1);
  const isEnd = table.mask((name) => condition(inStackText(name)));
  const mayMatch = yield* nodesOfRows(shape);
  yield* inSlicesBackwards(size, (from, to) => {
    for (let node = to - 1; node >= from; node--) mayMatch[parents[node]] |= mayMatch[node];
  });
  yield* leaveOut(shape, table, pattern, mayMatch);
  yield* inSlices(size, (from, to) => {
    for (let node = Math.max(from, 1); node < to; node++) {
      if (matches[node]) continue;
      const isMatch = matches[parents[node]] || (isEnd[frames[node]] && mayMatch[node] && regex.test(texts.of(node)));
      if (isMatch) matches[node] = 1;
    }
  }, SLICE);
}

/** @param {import('./pattern.js').Pattern} pattern @param {string} replacement @return {Generator} of a Shape */
export function* replaceInStacks(shape, table, pattern, replacement) {
  const regex = pattern.everyInStack;
  const has = yield* nodesOfRows(shape);
  const wanted = has.slice();
  yield* leaveOut(shape, table, pattern, wanted);
  const texts = new Texts(shape, table);
  const tree = NewTree.inAnyOrder(shape.size);
  const placeUnchanged = placerOf(shape, tree);
  const placeChanged = (text, changed) => {
    const {frames, length} = sameFrames(text, changed);
    let place = placeUnchanged(texts.nodes[frames]);
    texts.framesOf(changed, length, frames + 1, (frame) => {
      place = tree.child(place, frame);
    });
    return place;
  };
  const places = new Uint32Array(shape.size);
  yield* inSlices(shape.size, (from, to) => {
    for (let node = from; node < to; node++) {
      if (!has[node]) continue;
      const text = wanted[node] ? texts.of(node) : null;
      const changed = text === null ? null : text.replace(regex, replacement);
      places[node] = changed === text ? placeUnchanged(node) : placeChanged(text, changed);
    }
  }, SLICE);
  tree.ranks = table.ranks;
  const made = yield* shapeOfTree(tree, shape, places);
  // The origin of the frames of a rewritten stack is not known.
  made.origin = {shape, places: null, sources: null};
  return made;
}

/** @return {function(number): number} node of the shape -> the same of the tree */
function placerOf({size, parents, frames}, tree) {
  const places = new Uint32Array(size).fill(NOWHERE);
  places[0] = 0;
  const missing = [];
  return (node) => {
    for (let at = node; places[at] === NOWHERE; at = parents[at]) missing.push(at);
    for (let at = missing.pop(); at !== undefined; at = missing.pop()) {
      places[at] = tree.child(places[parents[at]], frames[at]);
    }
    return places[node];
  };
}

/** @return {{frames: number, length: number}} number of common leading frames, and their length in the text */
function sameFrames(text, changed) {
  const same = {frames: 0, length: 0};
  for (let i = 0; i < text.length && text.charCodeAt(i) === changed.charCodeAt(i); i++) {
    if (text.charCodeAt(i) !== SEPARATOR) continue;
    same.frames++;
    same.length = i + 1;
  }
  return same;
}
