// The call tree: callers above, callees below. CallerTree (caller_tree.js) has the same face, so that layout and views
// know only one: root, parents, frames, totals, variances, sums, firstChild, nextSibling. Siblings have ascending numbers,
// in the order of their names.

import {variancesOf} from './bounds.js';

export class CallTree {
  /** @param {import('./decode.js').Profile} profile @param {number} lens index of the value type to show */
  constructor(profile, lens) {
    this.profile = profile;
    this.root = 0;
    this.parents = profile.parents;
    this.frames = profile.frames;
    this.ends = subtreeEnds(profile.parents);
    this.show(lens);
  }

  /** Makes another value type the one that totals and selfs are of. */
  show(lens) {
    this.selfVariances = variancesOf(this.profile, lens);
    const columns = this.selfVariances ? [this.profile.selfs[lens], this.selfVariances] : [this.profile.selfs[lens]];
    this.setColumns(columns, columns.map((column) => this.addUp(column)));
    // Of the totals; null where nothing is known.
    this.variances = this.selfVariances && this.sums[1];
  }

  /**
   * @param {Float64Array[]} columns  node -> own value; the first is the one that widths are of
   * @param {Float64Array[]} sums  the same with callees
   */
  setColumns(columns, sums) {
    this.columns = columns;
    this.sums = sums;
    [this.selfs] = columns;
    [this.totals] = sums;
  }

  /** @param {Float64Array} selfs  node -> own value @return {Float64Array} with its callees' */
  addUp(selfs) {
    const totals = selfs.slice();
    for (let node = this.parents.length - 1; node > 0; node--) totals[this.parents[node]] += totals[node];
    return totals;
  }

  /** @return {number} the first child in the order of names, 0 when there is none */
  firstChild(node) {
    const child = node + 1;
    return child < this.ends[node] ? child : 0;
  }

  /** @return {number} 0 after the last */
  nextSibling(node) {
    const next = this.ends[node];
    return next < this.ends[this.parents[node]] ? next : 0;
  }
}

/** For every node of a preorder numbering, the number after its last descendant. */
function subtreeEnds(parents) {
  const ends = new Uint32Array(parents.length);
  for (let node = parents.length - 1; node > 0; node--) {
    if (ends[node] === 0) ends[node] = node + 1;
    if (ends[parents[node]] === 0) ends[parents[node]] = ends[node];
  }
  if (ends[0] === 0) ends[0] = 1;
  return ends;
}

/** @return {number[]} the nodes from below the root down to `node` */
export function pathTo(tree, node) {
  const path = [];
  for (; node !== tree.root; node = tree.parents[node]) path.push(node);
  return path.reverse();
}

/** @return {number} the node that is reached from the root by these frames, as far down as they lead */
export function followFrames(tree, frames) {
  let node = tree.root;
  for (const frame of frames) {
    let child = tree.firstChild(node);
    while (child && tree.frames[child] !== frame) child = tree.nextSibling(child);
    if (!child) return node;
    node = child;
  }
  return node;
}

/**
 * @param {string[]} names from below the root @param {function(number): string} nameOf a frame
 * @return {number[]} the frames of these names, as far down as they lead; of several the one with the most
 */
export function followNames(tree, names, nameOf) {
  const frames = [];
  let node = tree.root;
  for (const name of names) {
    let found = 0;
    for (let child = tree.firstChild(node); child; child = tree.nextSibling(child)) {
      const isWider = found === 0 || tree.totals[child] > tree.totals[found];
      if (isWider && nameOf(tree.frames[child]) === name) found = child;
    }
    if (found === 0) return frames;
    frames.push(tree.frames[found]);
    node = found;
  }
  return frames;
}
