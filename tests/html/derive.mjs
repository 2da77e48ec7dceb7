// Trees for tests, at once.

import {CallerTree} from '../../html/model/trees/caller_tree.js';
import {Engine} from '../../html/model/trees/engine.js';
import {finish} from '../../html/model/work.js';

/** @return {import('../../html/model/trees/call_tree.js').CallTree} */
export function treeOf(profile, lens = 0, request = {}) { return finish(new Engine(profile).derive({...request, lens})); }

/** The data of a flame graph. */
export function pictureOf(profile, lens = 0, request = {}) { return finish(new Engine(profile).picture({...request, lens})); }

/** @return {CallerTree} */
export function turnedOver(callTree) { return finish(CallerTree.of(callTree)); }

/** Every node as `path total`, in the order in which the tree gives them. */
export function listing(tree) {
  const lines = [];
  const visit = (node, path) => {
    for (let child = tree.firstChild(node); child !== 0; child = tree.nextSibling(child)) {
      const here = [...path, tree.nameOf(child)];
      lines.push(`${here.join(';')} ${tree.totals[child]}`);
      visit(child, here);
    }
  };
  visit(tree.root, []);
  return lines;
}
