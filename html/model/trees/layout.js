// Computes the visible rectangles, row by row. Visits only nodes that are in view and at least a pixel wide, whatever the tree's size.
// Neighbours that are too narrow become one merged rectangle, so that no width is left blank.

import {GrowingArray} from '../data/growing_array.js';

const NARROWEST_PIXELS = 1;

/**
 * @typedef {Object} View
 * @property {number} from  left edge, in the tree's value
 * @property {number} to  right edge
 * @property {number} width  pixels between them
 * @property {boolean} byWidth  widest sibling first, else by name
 * @property {(function(number): boolean)=} isHit  whether a node's subtree has a match
 */

/**
 * Rectangles are numbered row by row from the root, from left to right in a row. Row r has the
 * rectangles rowStarts[r] to rowStarts[r + 1] - 1. Starts and sizes are in the tree's value.
 */
export class Layout {
  constructor() {
    this.nodes = new GrowingArray(Uint32Array);   // the parent if merged
    this.merged = new GrowingArray(Uint32Array);  // number of merged siblings, 0: a single node
    this.hits = new GrowingArray(Uint8Array);     // of a merged rectangle: contains a match
    this.starts = new GrowingArray(Float64Array);
    this.sizes = new GrowingArray(Float64Array);
    this.rowStarts = [0];
  }

  get count() { return this.nodes.length; }

  get rows() { return this.rowStarts.length - 1; }

  /** @param {import('./call_tree.js').CallTree} tree @param {View} view */
  arrange(tree, view) {
    for (const column of [this.nodes, this.merged, this.hits, this.starts, this.sizes]) column.length = 0;
    this.tree = tree;
    this.view = view;
    this.scale = view.width / (view.to - view.from);
    this.rowStarts = [0];
    this.put(tree.root, 0, tree.totals[tree.root]);
    for (let begin = 0; begin < this.count;) {
      const end = this.count;
      this.rowStarts.push(end);
      for (let i = begin; i < end; i++) {
        if (this.merged.values[i] !== 0) continue;
        if (view.byWidth) {
          this.placeByWidth(i);
        } else {
          this.placeByName(i);
        }
      }
      begin = end;
    }
  }

  put(node, start, size, merged = 0, hit = 0) {
    this.nodes.push(node);
    this.starts.push(start);
    this.sizes.push(size);
    this.merged.push(merged);
    this.hits.push(hit);
  }

  placeByName(parent) {
    const {tree, view} = this;
    const node = this.nodes.values[parent];
    const run = new Run(this, node);
    let at = this.starts.values[parent];
    for (let child = tree.firstChild(node); child !== 0 && at < view.to; child = tree.nextSibling(child)) {
      const size = tree.totals[child];
      if (at + size > view.from) {
        if (size * this.scale < NARROWEST_PIXELS) {
          run.add(child, at, size);
        } else {
          run.end();
          this.put(child, at, size);
        }
      }
      at += size;
    }
    run.end();
  }

  placeByWidth(parent) {
    const {tree, view} = this;
    const node = this.nodes.values[parent];
    const wide = [];
    const run = new Run(this, node);
    for (let child = tree.firstChild(node); child !== 0; child = tree.nextSibling(child)) {
      if (tree.totals[child] * this.scale < NARROWEST_PIXELS) {
        run.add(child, 0, tree.totals[child]);
      } else {
        wide.push(child);
      }
    }
    wide.sort((a, b) => tree.totals[b] - tree.totals[a] || a - b);
    let at = this.starts.values[parent];
    for (const child of wide) {
      const size = tree.totals[child];
      if (at < view.to && at + size > view.from) this.put(child, at, size);
      at += size;
    }
    run.start = at;
    if (at < view.to && at + run.size > view.from) run.end();
  }

  /** @return {number} the rectangle of this row at this value, -1: none */
  find(row, value) {
    if (row < 0 || row >= this.rows) return -1;
    let low = this.rowStarts[row];
    let high = this.rowStarts[row + 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.starts.values[middle] <= value) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    const found = low - 1;
    if (found < this.rowStarts[row]) return -1;
    return value < this.starts.values[found] + this.sizes.values[found] ? found : -1;
  }

  /** @return {number} the rectangle of a node, -1 if it is not in view or too narrow */
  findNode(node) {
    for (let i = 0; i < this.count; i++) {
      if (this.nodes.values[i] === node && this.merged.values[i] === 0) return i;
    }
    return -1;
  }

  rowOf(rectangle) {
    let row = 0;
    while (this.rowStarts[row + 1] <= rectangle) row++;
    return row;
  }
}

/** Neighbouring children of a node that are too narrow to draw. */
class Run {
  constructor(layout, parent) {
    this.layout = layout;
    this.parent = parent;
    this.clear();
  }

  clear() {
    this.count = 0;
    this.size = 0;
    this.hit = false;
  }

  add(node, start, size) {
    if (this.count === 0) this.start = start;
    this.count++;
    this.size += size;
    const {isHit} = this.layout.view;
    if (isHit && !this.hit) this.hit = isHit(node);
  }

  end() {
    if (this.size * this.layout.scale >= NARROWEST_PIXELS) {
      this.layout.put(this.parent, this.start, this.size, this.count, this.hit ? 1 : 0);
    }
    this.clear();
  }
}

/** @return {number} the value at a node's left edge */
export function startOf(tree, node, byWidth) {
  const {parents, totals} = tree;
  let start = 0;
  for (; node !== tree.root; node = parents[node]) {
    for (let other = tree.firstChild(parents[node]); other !== 0; other = tree.nextSibling(other)) {
      const earlier = byWidth && totals[other] !== totals[node] ? totals[other] > totals[node] : other < node;
      if (earlier) start += totals[other];
    }
  }
  return start;
}
