// The text form of a call tree that flame graph tools read: a line for each stack with its self value.

import {KERNEL} from '../data/kinds.js';
import {sumRows} from '../trees/shape.js';
import {inSlices} from '../slices.js';

/** @param {import('../trees/call_tree.js').CallTree} tree @return {Generator} of the lines' text */
export function* collapsedText(tree) {
  const {shape, profile, lens, kept, ends, frames, table} = tree;
  const selfs = yield* sumRows(shape, profile.valuesOf(lens), kept);
  const texts = Array.from({length: table.count}, (_, frame) => textOf(table.nameOf(frame), table.kindOf(frame)));
  // Of the current stack: its nodes, and the stack's text up to each.
  const open = [];
  const stacks = [];
  const lines = [];
  yield* inSlices(frames.length, (from, to) => {
    for (let node = Math.max(from, 1); node < to; node++) {
      while (open.length > 0 && ends[open.at(-1)] <= node) {
        open.pop();
        stacks.pop();
      }
      const text = texts[frames[node]];
      stacks.push(stacks.length === 0 ? text : `${stacks.at(-1)};${text}`);
      open.push(node);
      if (selfs[node] > 0) lines.push(`${stacks.at(-1)} ${selfs[node]}\n`);
    }
  });
  return lines.join('');
}

/** Returns a name without the separator of frames, as other writers of hearth. */
function textOf(name, kind) { return name.replaceAll(';', '|') + (kind === KERNEL ? '_[k]' : ''); }
