// A regular expression that backtracks without end would stop the page for good, and nothing can interrupt it but the end of the
// worker that runs it: so one that might is tried there before it is used.

import {TOKEN} from './pattern.js';

// Without a sign that it goes on.
const PATIENCE_MILLISECONDS = 500;
const TEXTS_AT_ONCE = 1 << 10;
// Of a text and an expression, that need no trial.
const FEW_STEPS = 1e8;

/** In the worker, which is given nothing but the text of this. */
function serve() {
  self.onmessage = ({data: {source, flags, texts, atOnce}}) => {
    const regex = new RegExp(source, flags);
    texts.forEach((text, i) => {
      regex.test(text);
      if (i % atOnce === 0) self.postMessage('');
    });
    self.postMessage('done');
  };
  self.postMessage('ready');
}

let isAllowed = false;
// One that has begun and has nothing to do.
let idle = null;
// What texts are of -> how long the longest is, and expression -> whether it is quick.
const known = new WeakMap();

/** To be called by a page whose policy has workers. */
export function allowTrials() { isAllowed = typeof Worker !== 'undefined'; }

/**
 * @param {RegExp} regex @param {Object} owner  of the texts, while they are the same @param {function(): string[]} textsOf
 * @return {Generator} of whether it gets through these texts in a time that a reader waits; true where nobody can try
 */
export function* isQuick(regex, owner, textsOf) {
  if (!isAllowed) return true;
  if (!known.has(owner)) known.set(owner, {longest: longestOf(textsOf()), verdicts: new Map()});
  const {longest, verdicts} = known.get(owner);
  if (!mayBeSlow(regex.source, longest)) return true;
  const key = String(regex);
  if (!verdicts.has(key)) yield tryOut(regex, textsOf()).then((isDone) => verdicts.set(key, isDone));
  return verdicts.get(key);
}

function longestOf(texts) { return texts.reduce((longest, {length}) => Math.max(longest, length), 0); }

/**
 * @return {boolean} whether there may be many ways to match a text: something repeated or chosen is repeated, a group is referred
 *     to, or each repetition multiplies the steps by a long text's length
 */
export function mayBeSlow(source, longest) {
  const tokens = source.match(TOKEN) ?? [];
  // Of each open group: it has a repetition or a choice.
  const open = [false];
  let repetitions = 0;
  for (let i = 0; i < tokens.length; i++) {
    const isRepeated = /^[*+{]$/.test(tokens[i + 1] ?? '');
    if (/^\\[1-9k]/.test(tokens[i])) return true;
    if (tokens[i].startsWith('(')) open.push(false);
    if (tokens[i] === ')') {
      const hasChoice = open.pop();
      if (hasChoice && isRepeated) return true;
      open.push(open.pop() || hasChoice);
    }
    if (isRepeated) repetitions++;
    if (isRepeated || tokens[i] === '|') open[open.length - 1] = true;
  }
  return longest ** (repetitions + 1) > FEW_STEPS;
}

/** @return {Promise<boolean>} */
function tryOut({source, flags}, texts) {
  const job = {source, flags, texts, atOnce: TEXTS_AT_ONCE};
  const worker = idle ?? begin();
  if (worker === null) return Promise.resolve(true);
  const isReady = worker === idle;
  idle = null;
  return new Promise((resolve) => {
    let timer;
    const end = (isDone) => {
      clearTimeout(timer);
      if (isDone && idle === null) {
        idle = worker;
      } else {
        worker.terminate();
      }
      resolve(isDone);
    };
    worker.onmessage = ({data}) => {
      if (data === 'done') return end(true);
      if (data === 'ready') worker.postMessage(job);
      clearTimeout(timer);
      timer = setTimeout(() => end(false), PATIENCE_MILLISECONDS);
      return undefined;
    };
    // The policy of whoever serves the page may forbid it.
    worker.onerror = () => {
      clearTimeout(timer);
      resolve(true);
    };
    if (isReady) worker.onmessage({data: 'ready'});
  });
}

/** @return {?Worker} null where the browser has none for this page */
function begin() {
  try {
    return new Worker(URL.createObjectURL(new Blob([`(${serve})()`], {type: 'text/javascript'})));
  } catch (error) {
    return null;
  }
}
