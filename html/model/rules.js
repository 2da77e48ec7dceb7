// What becomes of the frames of a tree, when a shape is made of another one.

/** For a frame that goes, and leaves its weight to its caller. */
export const HIDDEN = 0xffffffff;

/**
 * @typedef {Object} Rule
 * @property {Uint32Array} frameOf  frame -> the one it becomes, or HIDDEN
 * @property {Uint8Array} endings  frame -> 1: all below it is its own weight
 * @property {Uint8Array} joining  frame -> 1: it is one with its caller, when that has the same name
 * @property {?Uint8Array} beginnings  frame -> 1: the outermost of them is where stacks begin, and those that have none go; null: they
 *     begin where they did
 * @property {Uint32Array} names  frame -> name
 */

function ruleOf({frameNames: {values: names}, count}, fields) {
  return {
    frameOf: fields.frameOf ?? Uint32Array.from({length: count}, (_, frame) => frame),
    endings: fields.endings ?? new Uint8Array(count),
    joining: fields.joining ?? new Uint8Array(count),
    beginnings: fields.beginnings ?? null,
    names,
  };
}

/** Frames become others. @param {Uint32Array} frameOf frame -> the one it becomes, or HIDDEN */
export function renaming(table, frameOf) { return ruleOf(table, {frameOf}); }

/** @param {Uint8Array} mask frame -> 1: all below the outermost of them is its own weight */
export function folding(table, mask) { return ruleOf(table, {endings: mask}); }

/** The outermost of these frames is where stacks begin; those that have none go. */
export function keepingBelow(table, mask) { return ruleOf(table, {beginnings: mask}); }

/** A frame that its caller has, too, is one with it. */
export function collapsing(table, mask) { return ruleOf(table, {joining: mask}); }

/** @return {Uint8Array} frame -> 1 when its nodes change, 2 when they do below a caller of the same name */
export function changesOf({frameOf, endings, joining}) {
  return Uint8Array.from(joining, (joins, frame) => endings[frame] || frameOf[frame] !== frame ? 1 : 2 * joins);
}
