// What a reader may do to stacks: an ordered list of transforms, each of which makes another shape of the one before.

import {groupBy} from './grouping.js';
import {placeNodes} from './merging.js';
import {inStackText, parsePattern, parseTest} from './pattern.js';
import {collapseWithGaps} from './placing.js';
import {collapsing, folding, HIDDEN, keepingBelow, renaming} from './rules.js';
import {NOWHERE} from './shape.js';
import {similarName} from './similar_names.js';
import {inSlices} from './slices.js';
import {matchBeginnings, matchFramesAbove, matchStacks, replaceInStacks, someTexts} from './stack_text.js';
import {isQuick} from './trial.js';

/**
 * @typedef {Object} Transform
 * @property {string} type  a key of TYPES
 * @property {string=} what  a pattern (pattern.js), or the key of a label
 * @property {string=} replacement @property {boolean=} gaps @property {boolean=} enabled  true when it is not said
 */

/**
 * @typedef {Object} Context
 * @property {import('./decode.js').Profile} profile @property {import('./frame_table.js').FrameTable} table
 */

// `what` is a pattern of a whole stack or of a frame, the key of a label, or nothing; `optional`: may be empty.
const TYPES = {
  'filter': {what: 'stack', apply: (shape, context, {what}) => keepMatching(shape, context, what, 1)},
  'remove': {what: 'stack', apply: (shape, context, {what}) => keepMatching(shape, context, what, 0)},
  'replace': {what: 'stack', apply: replace},
  'hide': {what: 'frame', apply: hide},
  'fold': {what: 'frame', apply: fold},
  'collapse-recursion': {what: 'frame', optional: true, apply: collapse},
  'merge-similar': {what: '', apply: mergeSimilar},
  'group': {what: 'label', apply: (shape, {profile, table}, {what}) => groupBy(shape, profile, table, what)},
  'keep-below': {what: 'frame', apply: keepBelow},
  'keep-above': {what: 'frame', apply: keepAbove},
};

// Profile -> patterns that nobody could wait for.
const tooSlow = new WeakMap();

/** @return {string} why a transform cannot be applied to this profile, '' when it can */
export function problemOf({type, what = '', replacement = ''}, profile) {
  const rule = Object.hasOwn(TYPES, type) ? TYPES[type] : null;
  if (!rule) return `There is no transform "${type}": ${Object.keys(TYPES).join(', ')} are.`;
  if (typeof what !== 'string' || typeof replacement !== 'string') return `What "${type}" looks for has to be text.`;
  if (what === '' && rule.what !== '' && !rule.optional) return `Say what "${type}" is to look for.`;
  if (rule.what === 'label') return labelProblem(what, profile);
  if (tooSlow.get(profile)?.has(what)) return `${what} takes too long in this profile, and is left out: repeat less within what is repeated.`;
  try {
    if (rule.what !== '') parsePattern(what);
    return '';
  } catch (error) {
    return `${what} is no regular expression: ${error.message.replace(/^.*: /s, '').toLowerCase()}.`;
  }
}

function labelProblem(key, {labels}) {
  const keys = [...new Set(labels.map((label) => label.key))];
  if (keys.includes(key)) return '';
  return keys.length === 0 ? 'This profile has no labels.' : `No label is "${key}": ${keys.join(', ')} are.`;
}

/** @return {boolean} whether a transform decides which stacks are seen, and not only how */
export function dropsRows({type}) { return ['filter', 'remove', 'keep-below', 'keep-above'].includes(type); }

/** @return {Generator} of the Shape that a transform makes; of one whose pattern takes too long, the same */
export function* transform(shape, context, step) {
  const rule = TYPES[step.type];
  const isPattern = (rule.what === 'stack' || rule.what === 'frame') && step.what;
  if (isPattern && !(yield* isPatternQuick(shape, context, step.what))) return shape;
  return yield* rule.apply(shape, context, step);
}

function* isPatternQuick(shape, {profile, table}, what) {
  const pattern = parsePattern(what);
  const {names} = table;
  const isOfNames = yield* isQuick(pattern.frame, names, () => names);
  if (isOfNames && (!pattern.spans || (yield* isQuick(pattern.stack, shape, () => someTexts(shape, table))))) return true;
  tooSlow.set(profile, (tooSlow.get(profile) ?? new Set()).add(what));
  return false;
}

/** Drops the stacks that do not match, or those that do. */
function* keepMatching(shape, {table}, what, kept) {
  const pattern = parseTest(what);
  let matches = new Uint8Array(shape.size);
  if (!pattern.needsNeighbours) {
    // In a stack's text a `;` is what stands between frames.
    const mask = table.mask(pattern.spans ? (name) => pattern.test(inStackText(name)) : pattern.test);
    matches = yield* matchFramesAbove(shape, mask);
  }
  if (pattern.spans) {
    const match = pattern.endsWithLiteral ? matchBeginnings : matchStacks;
    yield* match(shape, table, pattern, matches);
  }
  return yield* withStacks(shape, (node) => matches[node] === kept);
}

function* withStacks(shape, isKept) {
  const rowNodes = shape.rowNodes.slice();
  yield* inSlices(rowNodes.length, (from, to) => {
    for (let row = from; row < to; row++) {
      if (rowNodes[row] !== NOWHERE && !isKept(rowNodes[row])) rowNodes[row] = NOWHERE;
    }
  });
  return shape.withRows(rowNodes);
}

function* replace(shape, context, {what, replacement = ''}) {
  const {table} = context;
  const pattern = parsePattern(what);
  const names = pattern.spans ? null : table.names.map((name) => name.replace(pattern.everyInFrame, replacement));
  // What makes two frames of one is no matter of one name.
  const isOfNames = names?.every((name, i) => name === table.names[i] || !name.includes(';'));
  if (!isOfNames) return yield* replaceInStacks(shape, table, pattern, replacement);
  return yield* rename(shape, table, (frame) => names[table.frameNames.values[frame]]);
}

/** @param {function(number): string} nameOf  a frame's new name, '' to hide it */
function* rename(shape, table, nameOf) {
  const {count} = table;
  const frameOf = Uint32Array.from({length: count}, (_, frame) => {
    const name = nameOf(frame);
    if (name === '') return HIDDEN;
    return name === table.nameOf(frame) ? frame : table.named(name, frame);
  });
  if (frameOf.every((to, frame) => to === frame)) return shape;
  return yield* placeNodes(shape, table.ranks, renaming(table, frameOf));
}

/** A frame that stands for others which read alike keeps doing so. */
function* mergeSimilar(shape, {table}) {
  return yield* rename(shape, table, (frame) => similarName(table.nameOf(frame), table.kindOf(frame)));
}

function* hide(shape, {table}, {what}) {
  const mask = table.mask(parsePattern(what).test);
  const frameOf = mask.reduce((frames, hidden, frame) => {
    frames[frame] = hidden ? HIDDEN : frame;
    return frames;
  }, new Uint32Array(mask.length));
  return yield* placeNodes(shape, table.ranks, renaming(table, frameOf));
}

function* fold(shape, {table}, {what}) {
  return yield* placeNodes(shape, table.ranks, folding(table, table.mask(parsePattern(what).test)));
}

function* collapse(shape, {table}, {what = '', gaps = false}) {
  const mask = what === '' ? new Uint8Array(table.count).fill(1) : table.mask(parsePattern(what).test);
  if (gaps) return yield* collapseWithGaps(shape, table, mask);
  return yield* placeNodes(shape, table.ranks, collapsing(table, mask));
}

function* keepBelow(shape, {table}, {what}) {
  return yield* placeNodes(shape, table.ranks, keepingBelow(table, table.mask(parsePattern(what).test)));
}

function* keepAbove(shape, {table}, {what}) {
  const mask = table.mask(parsePattern(what).test);
  const matches = yield* matchFramesAbove(shape, mask);
  const kept = yield* withStacks(shape, (node) => matches[node] === 1);
  return yield* placeNodes(kept, table.ranks, folding(table, mask));
}
