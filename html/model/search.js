// Finds frames by a pattern. Each name is tested once; one pass over the tree then counts the stacks.

import {inSlices} from './slices.js';

const INVALID_PREFIX = /^Invalid regular expression: (?:\/.*\/[a-z]*: )?/s;

/**
 * A pattern without capital letters ignores case. Text that is not a valid regular expression is searched as plain text, and
 * `problem` reports it.
 * @param {string} text @return {?{regex: RegExp, problem: string}} null when there is nothing to search for
 */
export function compilePattern(text) {
  if (text === '') return null;
  // Letters after a backslash are classes: \S must not make a pattern case-sensitive.
  const flags = /[A-Z]/.test(text.replace(/\\./g, '')) ? '' : 'i';
  try {
    return {regex: new RegExp(text, flags), problem: ''};
  } catch (error) {
    const reason = error.message.replace(INVALID_PREFIX, '').toLowerCase();
    return {
      regex: new RegExp(escapePattern(text), flags),
      problem: `Not a regular expression (${reason}): searched for as plain text`,
    };
  }
}

/** Result for a pattern that takes too long; it matches nothing. */
export const TOO_SLOW = {
  regex: /(?!)/,
  isRefused: true,
  problem: 'Too slow on these names, not searched. Avoid nested repetition.',
};

/** As compilePattern(), and accepts /…/ (case-sensitive) and /…/i. */
export function compileHighlight(text) {
  const [, source, flags] = /^\/(.+)\/(i?)$/s.exec(text) ?? [];
  try {
    if (source !== undefined) return {regex: new RegExp(source, flags), problem: ''};
  } catch (error) {
    // Not a regular expression: the slashes are plain text.
  }
  return compilePattern(text);
}

/** @return {string} a pattern that matches this text and nothing else within a name */
export function escapePattern(text) { return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'); }

/** @param {import('./data/frame_table.js').FrameTable} table @return {Uint8Array} frame -> 1 when its name matches */
export function matchFrames(table, regex) { return table.mask((name) => regex.test(name)); }

/**
 * @param {import('./trees/call_tree.js').CallTree} tree @param {Uint8Array} mask of matchFrames()
 * @return {Generator} of Uint32Array: outermost matching nodes, in the order of the tree
 */
export function* outermostNodes({frames, ends, totals}, mask) {
  const found = [];
  let coveredUntil = 0;
  yield* inSlices(frames.length, (from, to) => {
    for (let node = Math.max(from, coveredUntil, 1); node < to; node++) {
      if (!mask[frames[node]] || node < coveredUntil) continue;
      coveredUntil = ends[node];
      if (totals[node] > 0) found.push(node);
    }
  });
  return Uint32Array.from(found);
}

/** Stacks of a call tree with a matching frame, each counted once. */
export class StackMatches {
  /** @param {import('./trees/call_tree.js').CallTree} tree @param {Uint8Array} mask of matchFrames() @return {Generator} of them */
  static* of(tree, mask) {
    const matches = new StackMatches(tree, mask);
    yield* matches.count();
    return matches;
  }

  constructor(tree, mask) {
    const {frames, sums} = tree;
    this.tree = tree;
    this.mask = mask;
    // Node -> number of matching nodes before it: a difference of two gives the matches in a subtree.
    this.before = new Uint32Array(frames.length + 1);
    // Sums of each of the tree's columns over the outermost matches, and the number of those matches.
    this.values = sums.map(() => 0);
    this.places = 0;
  }

  * count() {
    const {tree: {frames, ends, totals, sums}, mask, before, values} = this;
    let coveredUntil = 0;
    yield* inSlices(frames.length, (from, to) => {
      for (let node = Math.max(from, 1); node < to; node++) {
        const matches = mask[frames[node]] && totals[node] > 0 ? 1 : 0;
        before[node + 1] = before[node] + matches;
        if (!matches || node < coveredUntil) continue;
        coveredUntil = ends[node];
        this.places++;
        for (let column = 0; column < values.length; column++) values[column] += sums[column][node];
      }
    });
    this.nodes = before[frames.length];
  }

  get value() { return this.values[0]; }

  /** @return {boolean} whether the node or one below it matches */
  within(node) { return this.before[this.tree.ends[node]] > this.before[node]; }

  share() {
    const total = this.tree.totals[this.tree.root];
    return total > 0 ? this.value / total : 0;
  }

  /**
   * @param {number} node @param {1|-1} step
   * @return {number} the outermost match after or before the node, wrapping around at the ends; 0: none
   */
  next(node, step) {
    if (this.nodes === 0) return 0;
    const at = this.outermostAround(node);
    const found = step > 0 ? this.after(at === 0 ? node + 1 : this.tree.ends[at]) : this.outermostAround(this.beforeNode(at || node));
    if (found !== 0) return found;
    return step > 0 ? this.after(1) : this.outermostAround(this.beforeNode(this.tree.frames.length));
  }

  isMatch(node) { return this.before[node + 1] > this.before[node]; }

  /** Returns the outermost match that contains or is the node; 0: none. */
  outermostAround(node) {
    let found = 0;
    for (let at = node; at !== 0; at = this.tree.parents[at]) {
      if (this.isMatch(at)) found = at;
    }
    return found;
  }

  after(node) {
    const {length} = this.tree.frames;
    while (node < length && !this.isMatch(node)) node++;
    return node < length ? node : 0;
  }

  beforeNode(node) {
    do node--;
    while (node > 0 && !this.isMatch(node));
    return Math.max(node, 0);
  }
}
