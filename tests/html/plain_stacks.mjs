// The meaning of transforms, filters and tables in the plainest code: on stacks as texts, one by one. The engine is
// compared with it.

import {byBytes, columnsOf, KIND} from './make_page.mjs';

/** @return {function(): number} 0 to 1, the same numbers for the same seed */
export function randomNumbers(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

export const NAMES = [
  'a/B.c', 'a/B.d', 'clojure.core/map/fn--12', 'clojure.core/map/fn--345', 'user/eval7/x', 'user/eval8/x', 'x.y/f', 'f', 'b;odd',
  'a/L$$Lambda$14/0x00f.run', 'a/L$$Lambda$2/0x01.run', 'g'
];

/** @return {Object[]} random stacks with kinds, lines, labels and times, as columnsOf() takes them */
export function randomStacks(seed, count = 60) {
  const random = randomNumbers(seed);
  const pick = (list) => list[Math.floor(random() * list.length)];
  return Array.from({length: count}, () => ({
    frames: Array.from({length: 1 + Math.floor(random() * 7)}, () => [pick(NAMES), pick([KIND.jit, KIND.inlined]), pick([0, 3, 4])]),
    values: [1 + Math.floor(random() * 3), 10 * Math.ceil(random() * 9)],
    labels: pick([{}, {thread: 'main'}, {thread: 'worker 1', state: 'parked'}, {thread: 'worker 2', bytes: -16}, {bytes: 32}]),
    time: pick([undefined, 0, 1, 2, 3]),
  }));
}

export const STEP = 20e6;

export function profileColumns(stacks) { return columnsOf(stacks, {time: {step_ns: STEP, count: 4}, duration_ns: 4 * STEP}); }

const SEPARATOR = '\u0001';

/** @return {{names: string[], stack: Object}[]} */
export function plainStacks(stacks) { return stacks.map((stack) => ({names: stack.frames.map(([name]) => name), stack})); }

/** With the ends of frames spelled out. @param {string} separator of frames in the searched text */
function regexOf(what, flags = '', separator = SEPARATOR) {
  const [, source, own] = what.match(/^\/(.*)\/([a-z]*)$/) ?? [null, what.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), ''];
  const plain = source.replaceAll(';', separator).replace(/(?<!\\|\[)\^/g, `(?<![^${SEPARATOR}])`).replace(/\$(?!\d)$/, `(?![^${SEPARATOR}])`)
                    .replace(/(?<!\\)\.(?![*+{])/g, `[^${SEPARATOR}]`);
  return new RegExp(plain, own + flags);
}

const frameTest = (what) => {
  const regex = regexOf(what, '', ';');
  return (name) => regex.test(name);
};

const cutAt = (names, index) => index < 0 ? null : names.slice(index);

/** From the outermost frame on: a frame with the name of an earlier one represents the frames in between, too. */
function withoutGaps(names, isMeant) {
  const kept = [];
  for (const name of names) {
    const before = kept.indexOf(name);
    if (before >= 0 && isMeant(name)) {
      kept.length = before + 1;
    } else {
      kept.push(name);
    }
  }
  return kept;
}

const SIMILAR = {
  'clojure.core/map/fn--12': 'clojure.core/map/fn',
  'clojure.core/map/fn--345': 'clojure.core/map/fn',
  'user/eval7/x': 'user/eval/x',
  'user/eval8/x': 'user/eval/x',
  'a/L$$Lambda$14/0x00f.run': 'a/L$$Lambda.run',
  'a/L$$Lambda$2/0x01.run': 'a/L$$Lambda.run',
};

/** names -> names, or null: the stack is dropped */
const RULES = {
  'filter': (names, {what}) => regexOf(what).test(names.join(SEPARATOR)) ? names : null,
  'remove': (names, {what}) => regexOf(what).test(names.join(SEPARATOR)) ? null : names,
  'replace': (names, {what, replacement}) =>
      names.join(SEPARATOR).replace(regexOf(what, 'g'), replacement.replaceAll(';', SEPARATOR)).split(SEPARATOR).filter((name) => name !== ''),
  'hide': (names, {what}) => names.filter((name) => !frameTest(what)(name)),
  'fold': (names, {what}) => {
    const at = names.findIndex(frameTest(what));
    return at < 0 ? names : names.slice(0, at + 1);
  },
  'collapse-recursion': (names, {what, gaps}) => {
    const isMeant = what ? frameTest(what) : () => true;
    if (gaps) return withoutGaps(names, isMeant);
    return names.filter((name, i) => i === 0 || names[i - 1] !== name || !isMeant(name));
  },
  'merge-similar': (names) => names.map((name) => SIMILAR[name] ?? name),
  'group': (names, {what}, {labels}) => {
    const value = labels[what];
    return [value === undefined ? `[no ${what}]` : what === 'thread' ? `[${value}]` : `[${what}: ${value}]`, ...names];
  },
  'keep-below': (names, {what}) => cutAt(names, names.findIndex(frameTest(what))),
  'keep-above': (names, {what}) => {
    const at = names.findIndex(frameTest(what));
    return at < 0 ? null : names.slice(0, at + 1);
  },
};

export function applyPlainly(stacks, transforms) {
  return transforms.filter(({enabled}) => enabled !== false)
      .reduce((list, step) => list.map(({names, stack}) => ({names: RULES[step.type](names, step, stack), stack}))
                                  .filter(({names}) => names !== null),
              stacks);
}

export function filterPlainly(stacks, {labels = {}, time = null}) {
  return stacks.filter(({stack}) => {
    const isOfLabels = Object.entries(labels).every(([key, values]) => values.length === 0 || values.includes(stack.labels[key] ?? null));
    const isInTime = !time || (stack.time !== undefined && (stack.time + 1) * STEP > time.from_ns && stack.time * STEP < time.to_ns);
    return isOfLabels && isInTime;
  });
}

/** @return {string[]} every node as `path total`, in order */
export function listingPlainly(stacks, lens = 0) {
  const sums = new Map();
  for (const {names, stack} of stacks) {
    for (let depth = 1; depth <= names.length; depth++) {
      const path = names.slice(0, depth).join(SEPARATOR);
      sums.set(path, (sums.get(path) ?? 0) + stack.values[lens]);
    }
  }
  return [...sums].sort(([a], [b]) => compare(a.split(SEPARATOR), b.split(SEPARATOR)))
      .map(([path, total]) => `${path.replaceAll(SEPARATOR, ';')} ${total}`);
}

function compare(a, b) {
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    if (a[i] !== b[i]) return byBytes(a[i], b[i]);
  }
  return a.length - b.length;
}

/** @return {Map<string, {self: number, total: number}>} by the keys that `keysOf(names, stack)` returns for each frame */
export function sumsPlainly(stacks, keysOf, lens = 0) {
  const sums = new Map();
  for (const {names, stack} of stacks) {
    const keys = keysOf(names, stack);
    const value = stack.values[lens];
    for (const key of keys) if (!sums.has(key)) sums.set(key, {self: 0, total: 0});
    if (keys.length > 0) sums.get(keys.at(-1)).self += value;
    for (const key of new Set(keys)) sums.get(key).total += value;
  }
  return sums;
}
