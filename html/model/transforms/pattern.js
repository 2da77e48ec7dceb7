// Patterns of transforms: plain text or /regex/. Some match one frame, others the whole stack: its frames, outermost first,
// separated by `;`. There, too, ^ and $ match the ends of a frame.

import {escapePattern} from '../search.js';

// Replaces a `;` within a frame, as in signatures, in the text of a stack.
const OWN_SEMICOLON = '\ue000';

const REGEX = /^\/(.*)\/([a-z]*)$/s;
// One token of a regular expression: the start of a group, an escape, a class, a character.
const ESCAPE = '\\\\(?:[pP]\\{[^}]*\\}|u\\{[^}]*\\}|u[\\da-fA-F]{4}|x[\\da-fA-F]{2}|c[A-Za-z]|k<[^>]*>|\\d+|.)';
export const TOKEN = new RegExp(`\\(\\?(?:[:=!]|<[=!]|<\\w+>)|${ESCAPE}|\\[(?:\\\\.|[^\\]\\\\])*\\]|[^]`, 'g');
const LOOKAROUND = /^\(\?<?[=!]/;
const REPEATED = /^(?:[*+]|\{\d*,)/;
const SIGNS = new Set('()|*+?{}'.split(''));
// A literal character. ASCII only: other characters may have several lower-case forms.
const LITERAL = /^(?:(?![\\^$.|?*+()[\]{};])[ -~]|\\(?![\da-zA-Z;])[ -~])$/;
// Shorter literals occur in too many names.
const SHORTEST_LITERAL = 2;

/** @return {string} pattern for frames with exactly this name */
export function exactly(name) { return `/^${escapePattern(name).replaceAll(';', `[;${OWN_SEMICOLON}]`)}$/`; }

export function inStackText(name) { return name.replaceAll(';', OWN_SEMICOLON); }

export function fromStackText(name) { return name.replaceAll(OWN_SEMICOLON, ';'); }

/** @return {Pattern} throws SyntaxError for an invalid regular expression */
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
    // Whether each match ends with the last literal.
    this.endsWithLiteral = isEnd && !looksAround;
    // Whether a match may span frames.
    this.spans = spans;
    // Whether neighbouring frames decide if a frame matches.
    this.needsNeighbours = spans && looksAround;
  }

  /** @return {(function(string): boolean)[]} necessary conditions: in each matching stack, some name (as in a stack's text) fulfils each of them */
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

/** Parses a pattern for a test only: .* at its ends does not matter and is removed. */
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
 * @return {{text: string, spans: boolean, looksAround: boolean}} the expression for a stack's text; a single dot does not
 *     match a separator
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
 * @return {{literals: string[], isEnd: boolean}} some texts that each match contains, each within one frame.
 *     None if there are alternatives, or if case is ignored by Unicode rules, which differ from toLowerCase().
 *     isEnd: each match ends with the last of them.
 */
function literalsIn(tokens, flags) {
  const none = {literals: [], isEnd: false};
  // Nested classes are not supported here.
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
    // End of a frame: matches no character.
    if (token === '$') continue;
    if (token.startsWith('(')) depth++;
    if (token === ')') depth--;
    const isOptional = /^(?:[*?]|\{\d*,?\d*\})/.test(rest);
    if (depth === 0 && LITERAL.test(token) && !isOptional) {
      literal += token.at(-1);
      if (!rest.startsWith('+')) continue;
    }
    end();
    // Skip the numbers of a repetition.
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
  // A reference matches the same text as its group, and groups are checked themselves.
  if (/^\\(?:[bBk]|[1-9])/.test(token)) return false;
  try {
    return new RegExp(`^(?:${token})$`, flags).test(';');
  } catch (error) {
    return true;
  }
}
