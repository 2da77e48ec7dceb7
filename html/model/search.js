// Finds frames by a pattern. A name is tried once, however many nodes have it; then one pass over the tree counts the
// stacks.

import {inSlices} from './slices.js';

const INVALID_PREFIX = /^Invalid regular expression: (?:\/.*\/[a-z]*: )?/s;

/**
 * Small letters match capitals too; a capital in the pattern makes all of it exact. Text that is no regular expression
 * is searched for as it stands, and `problem` says so.
 * @param {string} text @return {?{regex: RegExp, problem: string}} null when there is nothing to search for
 */
export function compilePattern(text) {
  if (text === '') return null;
  // Letters after a backslash are classes, not capitals: \S must not make a pattern exact.
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

/** What stands for a pattern that nobody could wait for. */
export const TOO_SLOW = {
  regex: /(?!)/,
  isRefused: true,
  problem: 'Takes too long on these names, and is not searched for: repeat less within what is repeated',
};

/** As compilePattern(), but /…/ says that capitals matter, /…/i that they do not. */
export function compileHighlight(text) {
  const [, source, flags] = /^\/(.+)\/(i?)$/s.exec(text) ?? [];
  try {
    if (source !== undefined) return {regex: new RegExp(source, flags), problem: ''};
  } catch (error) {
    // The slashes are text, too.
  }
  return compilePattern(text);
}

/** @return {string} a pattern that matches this text and nothing else within a name */
export function escapePattern(text) { return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'); }

/** @param {import('./frame_table.js').FrameTable} table @return {Uint8Array} frame -> 1 when its name matches */
export function matchFrames(table, regex) { return table.mask((name) => regex.test(name)); }

/**
 * @param {import('./call_tree.js').CallTree} tree @param {Uint8Array} mask of matchFrames()
 * @return {Generator} of Uint32Array: nodes that match and lie in no other that does, in the order of the tree
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

/** The stacks of a call tree that have a matching frame, each counted once. */
export class StackMatches {
  /** @param {import('./call_tree.js').CallTree} tree @param {Uint8Array} mask of matchFrames() @return {Generator} of them */
  static* of(tree, mask) {
    const matches = new StackMatches(tree, mask);
    yield* matches.count();
    return matches;
  }

  constructor(tree, mask) {
    const {frames, sums} = tree;
    this.tree = tree;
    this.mask = mask;
    // Matching nodes with a smaller number: two of them give the matches of a subtree.
    this.before = new Uint32Array(frames.length + 1);
    // What they have of each of the tree's columns, and how many lie in no other.
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
   * @return {number} the outermost match after or before the node, and round the ends; 0 when there is none
   */
  next(node, step) {
    if (this.nodes === 0) return 0;
    const at = this.outermostAround(node);
    const found = step > 0 ? this.after(at === 0 ? node + 1 : this.tree.ends[at]) : this.outermostAround(this.beforeNode(at || node));
    if (found !== 0) return found;
    return step > 0 ? this.after(1) : this.outermostAround(this.beforeNode(this.tree.frames.length));
  }

  isMatch(node) { return this.before[node + 1] > this.before[node]; }

  /** The outermost match that the node lies in, or is; 0: none. */
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
