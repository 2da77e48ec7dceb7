// Patterns of transforms: text as it stands, or /regex/. Some see one frame, some the whole stack: its frames, outermost
// first, with `;` between them, where ^ and $ are still the ends of a frame.

import {escapePattern} from './search.js';

// A frame's own `;`, as in signatures, while it is part of a stack's text.
const OWN_SEMICOLON = '\ue000';

const REGEX = /^\/(.*)\/([a-z]*)$/s;
// One thing that a regular expression matches, or that it asks of a place: a group's head, an escape, a class, a sign.
const ESCAPE = '\\\\(?:[pP]\\{[^}]*\\}|u\\{[^}]*\\}|u[\\da-fA-F]{4}|x[\\da-fA-F]{2}|c[A-Za-z]|k<[^>]*>|\\d+|.)';
export const TOKEN = new RegExp(`\\(\\?(?:[:=!]|<[=!]|<\\w+>)|${ESCAPE}|\\[(?:\\\\.|[^\\]\\\\])*\\]|[^]`, 'g');
const LOOKAROUND = /^\(\?<?[=!]/;
const REPEATED = /^(?:[*+]|\{\d*,)/;
const SIGNS = new Set('()|*+?{}'.split(''));
// A character that means itself; of others than ASCII's not all have one lower case.
const LITERAL = /^(?:(?![\\^$.|?*+()[\]{};])[ -~]|\\(?![\da-zA-Z;])[ -~])$/;
// Shorter ones are in too many names to tell anything.
const SHORTEST_LITERAL = 2;

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
    const tokens = [...source.matchAll(TOKEN)].map(({0: token, index}) => ({token, rest: source.slice(index + token.length)}));
    const {text, spans, looksAround} = overStack(tokens, flags);
    this.stackSource = text;
    const {literals, isEnd} = literalsIn(tokens, flags);
    this.literals = literals;
    // Whether what matches ends with the last literal, whatever comes behind it.
    this.endsWithLiteral = isEnd && !looksAround;
    // Whether it may match more than one frame.
    this.spans = spans;
    // Whether a frame that matches when alone may not do so in a stack, for what stands beside it.
    this.needsNeighbours = spans && looksAround;
  }

  /** @return {(function(string): boolean)[]} each of them is true of some name, as it is in a stack's text, of any stack that matches */
  get conditions() {
    if (!this.flags.includes('i')) return this.literals.map((literal) => (name) => name.includes(literal));
    return this.literals.map((literal) => (name) => name.toLowerCase().includes(literal.toLowerCase()));
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
function overStack(tokens, flags) {
  let text = '';
  let spans = false;
  let looksAround = false;
  for (const {token, rest} of tokens) {
    looksAround ||= LOOKAROUND.test(token);
    if (token === '^') {
      text += '(?<![^;])';
    } else if (token === '$') {
      text += '(?![^;])';
    } else if (token === '.' && !REPEATED.test(rest)) {
      text += '[^;]';
    } else {
      text += token;
      spans ||= canMatchSemicolon(token, flags);
    }
  }
  return {text, spans, looksAround};
}

/**
 * @return {{literals: string[], isEnd: boolean}} texts that are in whatever matches, each within one frame; not all of them.
 *     None where alternatives are, nor where case is ignored by Unicode's rules, which are not those of toLowerCase().
 *     isEnd: what matches ends with the last of them.
 */
function literalsIn(tokens, flags) {
  const none = {literals: [], isEnd: false};
  // Classes within classes are no tokens here.
  if (flags.includes('v') || (flags.includes('i') && flags.includes('u'))) return none;
  const literals = [];
  let literal = '';
  let depth = 0;
  const end = () => {
    if (literal.length >= SHORTEST_LITERAL) literals.push(literal);
    literal = '';
  };
  for (let i = 0; i < tokens.length; i++) {
    const {token, rest} = tokens[i];
    if (token === '|' && depth === 0) return none;
    // The end of a frame, which takes nothing.
    if (token === '$') continue;
    if (token.startsWith('(')) depth++;
    if (token === ')') depth--;
    const isOptional = /^(?:[*?]|\{\d*,?\d*\})/.test(rest);
    if (depth === 0 && LITERAL.test(token) && !isOptional) {
      literal += token.at(-1);
      if (!rest.startsWith('+')) continue;
    }
    end();
    // The numbers of a repetition are not looked for.
    if (token === '{' && /^\d*,?\d*\}/.test(rest)) {
      while (tokens[i].token !== '}') i++;
    }
  }
  const isEnd = literal.length >= SHORTEST_LITERAL;
  end();
  return {literals, isEnd};
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
