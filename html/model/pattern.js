// Patterns of transforms: text as it stands, or /regex/. Some see one frame, some the whole stack: its frames, outermost
// first, with `;` between them, where ^ and $ are still the ends of a frame.

import {escapePattern} from './search.js';

// A frame's own `;`, as in signatures, while it is part of a stack's text.
const OWN_SEMICOLON = '\ue000';

const REGEX = /^\/(.*)\/([a-z]*)$/s;
// One thing that a regular expression matches, or that it asks of a place: a group's head, an escape, a class, a sign.
const ESCAPE = '\\\\(?:[pP]\\{[^}]*\\}|u\\{[^}]*\\}|u[\\da-fA-F]{4}|x[\\da-fA-F]{2}|c[A-Za-z]|k<\\w+>|\\d+|.)';
const TOKEN = new RegExp(`\\(\\?(?:[:=!]|<[=!]|<\\w+>)|${ESCAPE}|\\[(?:\\\\.|[^\\]\\\\])*\\]|[^]`, 'g');
const LOOKAROUND = /^\(\?<?[=!]/;
const REPEATED = /^(?:[*+]|\{\d*,)/;
const SIGNS = new Set('()|*+?{}'.split(''));

/** @return {string} the pattern of a transform for the frames of exactly this name */
export function exactly(name) { return `/^${escapePattern(name).replaceAll(';', `[;${OWN_SEMICOLON}]`)}$/`; }

export function inStackText(name) { return name.replaceAll(';', OWN_SEMICOLON); }

export function fromStackText(name) { return name.replaceAll(OWN_SEMICOLON, ';'); }

/** @return {Pattern} throws SyntaxError for what is no regular expression */
export function parsePattern(what) {
  const [, regex, flags] = what.match(REGEX) ?? [];
  return regex === undefined ? new Pattern(escapePattern(what), '') : new Pattern(regex, flags.replace(/[gy]/g, ''));
}

class Pattern {
  constructor(source, flags) {
    this.source = source;
    this.flags = flags;
    this.frame = new RegExp(source, flags);
    const {text, spans, looksAround} = overStack(source, flags);
    this.stackSource = text;
    // Whether it may match more than one frame.
    this.spans = spans;
    // Whether a frame that matches when alone may not do so in a stack, for what stands beside it.
    this.needsNeighbours = spans && looksAround;
  }

  /** @return {function(string): boolean} whether a frame's name matches */
  get test() { return (name) => this.frame.test(name); }

  /** @return {RegExp} for replacing in a name */
  get everyInFrame() { return new RegExp(this.source, `${this.flags}g`); }

  /** @return {RegExp} for a stack's text */
  get stack() { return new RegExp(this.stackSource, this.flags); }

  get everyInStack() { return new RegExp(this.stackSource, `${this.flags}g`); }
}

/** What matches anything at its ends decides nothing about whether there is a match. */
export function parseTest(what) {
  const pattern = parsePattern(what);
  const source = pattern.source.replace(/^\^?\.\*\??/, '').replace(/(?<!\\)\.\*\??\$?$/, '');
  try {
    return new Pattern(source, pattern.flags);
  } catch (error) {
    return pattern;
  }
}

/**
 * @return {{text: string, spans: boolean, looksAround: boolean}} the expression for a stack's text; a single dot never is the
 *     end of a frame
 */
function overStack(source, flags) {
  let text = '';
  let spans = false;
  let looksAround = false;
  const tokens = [...source.matchAll(TOKEN)];
  for (const {0: token, index} of tokens) {
    looksAround ||= LOOKAROUND.test(token);
    if (token === '^') {
      text += '(?<![^;])';
    } else if (token === '$') {
      text += '(?![^;])';
    } else if (token === '.' && !REPEATED.test(source.slice(index + 1))) {
      text += '[^;]';
    } else {
      text += token;
      spans ||= canMatchSemicolon(token, flags);
    }
  }
  return {text, spans, looksAround};
}

function canMatchSemicolon(token, flags) {
  if (SIGNS.has(token) || token.startsWith('(')) return false;
  // References match what a group has matched, which has been looked at.
  if (/^\\(?:[bBk]|[1-9])/.test(token)) return false;
  try {
    return new RegExp(`^(?:${token})$`, flags).test(';');
  } catch (error) {
    return true;
  }
}
