// Transforms of stacks: an ordered list, each of which makes a new shape from the previous one.

import {groupBy, groupKeys} from '../trees/grouping.js';
import {applyRule} from './merging.js';
import {inStackText, parsePattern, parseTest} from './pattern.js';
import {collapseWithGaps} from './placing.js';
import {collapsing, folding, HIDDEN, keepingBelow, renaming} from './rules.js';
import {NOWHERE} from '../trees/shape.js';
import {similarName} from './similar_names.js';
import {inSlices} from '../slices.js';
import {matchBeginnings, matchFramesAbove, matchStacks, replaceInStacks, someTexts} from './stack_text.js';
import {isQuick} from './regex_guard.js';

/**
 * @typedef {Object} Transform
 * @property {string} type  a key of TYPES
 * @property {string=} what  a pattern (pattern.js), or the key of a label
 * @property {string=} replacement @property {boolean=} gaps @property {boolean=} enabled  default true
 */

/**
 * @typedef {Object} Context
 * @property {import('../data/decode.js').Profile} profile @property {import('../data/frame_table.js').FrameTable} table
 */

// `what`: pattern of a whole stack or of a frame, key of a label, or nothing. `optional`: may be empty.
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

// Profile -> patterns that take too long.
const tooSlow = new WeakMap();

/** @return {string} why a transform cannot be applied to this profile; '' if it can */
export function problemOf({type, what = '', replacement = ''}, profile) {
  const rule = Object.hasOwn(TYPES, type) ? TYPES[type] : null;
  if (!rule) return `Unknown transform "${type}". Known: ${Object.keys(TYPES).join(', ')}.`;
  if (typeof what !== 'string' || typeof replacement !== 'string') return `The pattern of "${type}" must be text.`;
  if (what === '' && rule.what !== '' && !rule.optional) return rule.what === 'label' ? 'Choose a label to group by.' : `Enter a pattern for "${type}".`;
  if (rule.what === 'label') return labelProblem(what, profile);
  if (tooSlow.get(profile)?.has(what)) return `${what} is too slow for this profile and is skipped. Avoid nested repetition.`;
  try {
    if (rule.what !== '') parsePattern(what);
    return '';
  } catch (error) {
    return `${what} is not a regular expression: ${error.message.replace(/^.*: /s, '').toLowerCase()}.`;
  }
}

function labelProblem(key, profile) {
  const keys = groupKeys(profile);
  if (keys.includes(key)) return '';
  return keys.length === 0 ? 'This profile has no labels.' : `Unknown label "${key}". Known: ${keys.join(', ')}.`;
}

/** @return {boolean} whether a transform may drop stacks */
export function dropsRows({type}) { return ['filter', 'remove', 'keep-below', 'keep-above'].includes(type); }

/** @return {Generator} of the new Shape; the same shape if the pattern takes too long */
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

/** Keeps stacks that match (kept 1) or that do not match (kept 0). */
function* keepMatching(shape, {table}, what, kept) {
  const pattern = parseTest(what);
  let matches = new Uint8Array(shape.size);
  if (!pattern.needsNeighbours) {
    // In the text of a stack, `;` separates frames.
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
  // A replacement that splits a frame needs the text of the stack.
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
  return yield* applyRule(shape, table.ranks, renaming(table, frameOf));
}

/** Merges frames with names that differ in generated numbers only. */
function* mergeSimilar(shape, {table}) {
  return yield* rename(shape, table, (frame) => similarName(table.nameOf(frame), table.kindOf(frame)));
}

function* hide(shape, {table}, {what}) {
  const mask = table.mask(parsePattern(what).test);
  const frameOf = mask.reduce((frames, hidden, frame) => {
    frames[frame] = hidden ? HIDDEN : frame;
    return frames;
  }, new Uint32Array(mask.length));
  return yield* applyRule(shape, table.ranks, renaming(table, frameOf));
}

function* fold(shape, {table}, {what}) {
  return yield* applyRule(shape, table.ranks, folding(table, table.mask(parsePattern(what).test)));
}

function* collapse(shape, {table}, {what = '', gaps = false}) {
  const mask = what === '' ? new Uint8Array(table.count).fill(1) : table.mask(parsePattern(what).test);
  if (gaps) return yield* collapseWithGaps(shape, table, mask);
  return yield* applyRule(shape, table.ranks, collapsing(table, mask));
}

function* keepBelow(shape, {table}, {what}) {
  return yield* applyRule(shape, table.ranks, keepingBelow(table, table.mask(parsePattern(what).test)));
}

function* keepAbove(shape, {table}, {what}) {
  const mask = table.mask(parsePattern(what).test);
  const matches = yield* matchFramesAbove(shape, mask);
  const kept = yield* withStacks(shape, (node) => matches[node] === 1);
  return yield* applyRule(kept, table.ranks, folding(table, mask));
}
