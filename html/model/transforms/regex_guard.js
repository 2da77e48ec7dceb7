// Guards the page against regular expressions that backtrack for a very long time. Only ending its worker can interrupt a match, so
// a suspicious expression is first run in a worker.

import {TOKEN} from './pattern.js';

// Longest time without progress.
const PATIENCE_MILLISECONDS = 500;
const TEXTS_AT_ONCE = 1 << 10;
// Upper bound of steps that need no trial.
const FEW_STEPS = 1e8;

/** Runs in the worker, which gets only the source text of this function. */
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

let isEnabled = false;
// A started worker without a job.
let idle = null;
// Owner of texts -> length of the longest text, and expression -> whether it is fast.
const known = new WeakMap();

/** Enables the guard in a page whose content security policy allows workers. */
export function enableRegexGuard() { isEnabled = typeof Worker !== 'undefined'; }

/**
 * @param {RegExp} regex @param {Object} owner  identifies the texts @param {function(): string[]} textsOf
 * @return {Generator} of whether the expression finishes these texts in time; true if the guard is disabled
 */
export function* isQuick(regex, owner, textsOf) {
  if (!isEnabled) return true;
  if (!known.has(owner)) known.set(owner, {longest: longestOf(textsOf()), verdicts: new Map()});
  const {longest, verdicts} = known.get(owner);
  if (!mayBeSlow(regex.source, longest)) return true;
  const key = String(regex);
  if (!verdicts.has(key)) yield runInWorker(regex, textsOf()).then((isDone) => verdicts.set(key, isDone));
  return verdicts.get(key);
}

function longestOf(texts) { return texts.reduce((longest, {length}) => Math.max(longest, length), 0); }

/**
 * @return {boolean} whether matching may take many steps: a repetition or choice is itself repeated, there is a back
 *     reference, or the number of repetitions is too high for the longest text
 */
export function mayBeSlow(source, longest) {
  const tokens = source.match(TOKEN) ?? [];
  // Open groups: whether each has a repetition or a choice.
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
function runInWorker({source, flags}, texts) {
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
    // The server's content security policy may forbid workers.
    worker.onerror = () => {
      clearTimeout(timer);
      resolve(true);
    };
    if (isReady) worker.onmessage({data: 'ready'});
  });
}

/** @return {?Worker} null if the browser allows none */
function begin() {
  try {
    return new Worker(URL.createObjectURL(new Blob([`(${serve})()`], {type: 'text/javascript'})));
  } catch (error) {
    return null;
  }
}
