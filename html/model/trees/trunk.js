// The trunk of a tree: the outermost frames that all stacks share, such as those that start a thread.

/** Fewer frames stay visible: hiding them would save little space. */
const LEAST_FRAMES = 4;
/** Share of the value that counts as all: single samples without a root must not bring the trunk back. */
const NEARLY_ALL = 0.99;

/**
 * @param {import('./call_tree.js').CallTree} tree
 * @return {number[]} its nodes, from below the root on; none if they are few, or if no stack leaves them
 */
export function trunkOf(tree) {
  const trunk = [];
  const least = NEARLY_ALL * tree.totals[tree.root];
  let node = widestChild(tree, tree.root);
  for (; node !== 0 && tree.totals[node] >= least; node = widestChild(tree, node)) trunk.push(node);
  return node === 0 || trunk.length < LEAST_FRAMES ? [] : trunk;
}

function widestChild(tree, node) {
  let widest = 0;
  for (let child = tree.firstChild(node); child !== 0; child = tree.nextSibling(child)) {
    if (widest === 0 || tree.totals[child] > tree.totals[widest]) widest = child;
  }
  return widest;
}
