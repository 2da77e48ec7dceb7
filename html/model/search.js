// Finds frames by a pattern. A name is tried once, however many nodes have it; then one pass over the tree counts the
// stacks.

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

/** @return {string} a pattern that matches this text and nothing else within a name */
export function escapePattern(text) { return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'); }

/**
 * @param {import('./decode.js').Profile} profile @param {RegExp} regex @return {Uint8Array} frame -> 1 when its name
 *     matches
 */
export function matchFrames(profile, regex) {
  const nameMatches = new Uint8Array(profile.names.length);
  profile.names.forEach((name, i) => {
    nameMatches[i] = regex.test(name) ? 1 : 0;
  });
  return Uint8Array.from(profile.frameNames, (name) => nameMatches[name]);
}

/** The stacks of a call tree that have a matching frame, each counted once. */
export class StackMatches {
  /** @param {import('./call_tree.js').CallTree} tree @param {Uint8Array} mask of matchFrames() */
  constructor(tree, mask) {
    const {frames, ends, columns} = tree;
    this.tree = tree;
    // Matching nodes with a smaller number: two of them give the matches of a subtree.
    this.before = new Uint32Array(frames.length + 1);
    // What they have of each of the tree's columns.
    this.values = columns.map(() => 0);
    let coveredUntil = 0;
    for (let node = 1; node < frames.length; node++) {
      const matches = mask[frames[node]];
      this.before[node + 1] = this.before[node] + matches;
      if (matches && node >= coveredUntil) coveredUntil = ends[node];
      if (node >= coveredUntil) continue;
      for (let column = 0; column < columns.length; column++) this.values[column] += columns[column][node];
    }
    this.nodes = this.before[frames.length];
  }

  get value() { return this.values[0]; }

  /** @return {boolean} whether the node or one below it matches */
  within(node) { return this.before[this.tree.ends[node]] > this.before[node]; }

  share() {
    const total = this.tree.totals[this.tree.root];
    return total > 0 ? this.value / total : 0;
  }
}
