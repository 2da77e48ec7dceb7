// Callers and callees of a method, merged over all its calls.

import {CallerTree} from './caller_tree.js';
import {applyRule} from '../transforms/merging.js';
import {keepingBelow} from '../transforms/rules.js';
import {outermostNodes} from '../search.js';
import {inSlices} from '../slices.js';

/**
 * @param {import('./call_tree.js').CallTree} tree @param {string} name
 * @return {Generator} of {callers: CallerTree, callees: CallTree, self, total}; the only child of either root is the method.
 *     For recursive calls the outermost one counts.
 */
export function* sandwich(tree, name) {
  yield* tree.computeColumns();
  const {table} = tree;
  const mask = table.mask((other) => other === name);
  const nodes = yield* outermostNodes(tree, mask);
  const callers = yield* CallerTree.from(tree, nodes, tree.sums);
  const shape = yield* applyRule(tree.shape, table.ranks, keepingBelow(table, mask));
  const callees = yield* tree.reshaped(shape);
  const self = yield* selfOf(tree, mask);
  return {callers, callees, self, total: callees.totals[callees.root]};
}

function* selfOf({frames, columns: [selfs]}, mask) {
  let self = 0;
  yield* inSlices(frames.length, (from, to) => {
    for (let node = Math.max(from, 1); node < to; node++) {
      if (mask[frames[node]]) self += selfs[node];
    }
  });
  return self;
}
