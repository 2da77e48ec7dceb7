// Rules for making a shape from another one: the new frame of each frame.

/** Frame that is removed; its weight counts for its caller. */
export const HIDDEN = 0xffffffff;

/**
 * @typedef {Object} Rule
 * @property {Uint32Array} frameOf  frame -> its new frame, or HIDDEN
 * @property {Uint8Array} endings  frame -> 1: everything below it counts as its self value
 * @property {Uint8Array} joining  frame -> 1: merged with its caller if both have the same name
 * @property {?Uint8Array} beginnings  frame -> 1: stacks start at the outermost of these frames, and stacks without any are dropped;
 *     null: stacks start where they did
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

/** Replaces frames. @param {Uint32Array} frameOf frame -> its new frame, or HIDDEN */
export function renaming(table, frameOf) { return ruleOf(table, {frameOf}); }

/** @param {Uint8Array} mask frame -> 1: everything below the outermost of these frames counts as its self value */
export function folding(table, mask) { return ruleOf(table, {endings: mask}); }

/** Starts stacks at the outermost of these frames; drops stacks without any. */
export function keepingBelow(table, mask) { return ruleOf(table, {beginnings: mask}); }

/** Merges a frame with a caller of the same name. */
export function collapsing(table, mask) { return ruleOf(table, {joining: mask}); }

/** @return {Uint8Array} frame -> 1 if its nodes change, 2 if they change below a caller of the same name */
export function changesOf({frameOf, endings, joining}) {
  return Uint8Array.from(joining, (joins, frame) => endings[frame] || frameOf[frame] !== frame ? 1 : 2 * joins);
}
