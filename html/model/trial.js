// A regular expression that backtracks without end would stop the page for good, and nothing can interrupt it but the end of the
// worker that runs it: so one that repeats something is tried there before it is used.

// Without a sign that it goes on.
const PATIENCE_MILLISECONDS = 500;
const TEXTS_AT_ONCE = 1 << 10;
// A worker takes a while to begin: it does so when the first picture is there, and before a reader has typed anything.
const BEGIN_AFTER_MILLISECONDS = 300;
// Without one of these there are few ways to match a text.
const REPETITION = /[*+{]/;

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
// What texts are of -> expression -> whether it is quick.
const verdicts = new WeakMap();

/** To be called by a page whose policy has workers. */
export function allowTrials() {
  isAllowed = typeof Worker !== 'undefined';
  if (isAllowed) setTimeout(beginIdle, BEGIN_AFTER_MILLISECONDS);
}

function beginIdle() {
  const worker = begin();
  if (worker) worker.onmessage = () => idle ??= worker;
}

/**
 * @param {RegExp} regex @param {Object} owner  of the texts, while they are the same @param {function(): string[]} textsOf
 * @return {Generator} of whether it gets through these texts in a time that a reader waits; true where nobody can try
 */
export function* isQuick(regex, owner, textsOf) {
  if (!REPETITION.test(regex.source) || !isAllowed) return true;
  if (!verdicts.has(owner)) verdicts.set(owner, new Map());
  const known = verdicts.get(owner);
  const key = String(regex);
  if (!known.has(key)) yield tryOut(regex, textsOf()).then((isDone) => known.set(key, isDone));
  return known.get(key);
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
