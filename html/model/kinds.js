// Kinds of frames: the numbers of agent/profile/profile.h, and Clojure told from other Java by the shape of its names.

const INTERPRETED = 0, C1 = 1, JIT = 2, INLINED = 3, NATIVE = 4, CPP = 5, KERNEL = 6, STUB = 7, MARKER = 9, CLASS = 10;
export const THREAD = 8;

// Markers that tell what a thread did instead of running (the time of event wall), by agent/session/thread_state_words.
const STATES = new Set([
  '[runnable]', '[monitor]', '[waiting]', '[parked]', '[sleeping]', '[safepoint]', '[socket]', '[file]', '[syscall]'
]);

// What a legend has a line for, in its order: `clojure` tells whether it is of the Clojure or the other frames of these
// kinds.
const FAMILIES = [
  {id: 'clojure', kind: JIT, clojure: true, label: 'Clojure', words: 'Clojure, compiled'},
  {
    id: 'clojureInlined',
    kind: INLINED,
    clojure: true,
    label: 'Clojure inlined',
    words: 'Clojure, inlined into its caller'
  },
  {id: 'clojureC1', kind: C1, clojure: true, label: 'Clojure C1', words: 'Clojure, compiled by C1'},
  {
    id: 'clojureInterpreted',
    kind: INTERPRETED,
    clojure: true,
    label: 'Clojure interpreted',
    words: 'Clojure, interpreted'
  },
  {id: 'java', kind: JIT, label: 'Java', words: 'Java, compiled'},
  {id: 'javaInlined', kind: INLINED, label: 'Java inlined', words: 'Java, inlined into its caller'},
  {id: 'javaC1', kind: C1, label: 'Java C1', words: 'Java, compiled by C1'},
  {id: 'javaInterpreted', kind: INTERPRETED, label: 'Java interpreted', words: 'Java, interpreted'},
  {id: 'cpp', kind: CPP, label: 'C++', words: 'C++, as in the JVM itself'},
  {id: 'native', kind: NATIVE, label: 'Native', words: 'native code'},
  {id: 'kernel', kind: KERNEL, label: 'Kernel', words: 'Linux kernel'},
  {id: 'stub', kind: STUB, label: 'Stub', words: 'code the JVM made for itself: stub, adapter or interpreter'},
  {id: 'class', kind: CLASS, label: 'Class', words: 'class of the allocated object, or of the lock'},
  {id: 'thread', kind: THREAD, label: 'Thread', words: 'thread, or another label that stacks are grouped by'},
  {id: 'state', kind: MARKER, state: true, label: 'Off CPU', words: 'not a frame: what the thread waited for'},
  {id: 'marker', kind: MARKER, label: 'Not walked', words: 'not a frame: what the profiler could not see'},
];

const familyKey = (kind, clojure, state) => `${kind}${clojure ? 'c' : ''}${state ? 's' : ''}`;
const familyIndex = new Map(FAMILIES.map(({kind, clojure, state}, i) => [familyKey(kind, clojure, state), i]));
const UNKNOWN_KIND = familyIndex.get(String(NATIVE));

/**
 * Java methods are `package/Class.method`; Clojure functions are `name.space/function`, with no dot behind the slash.
 */
export function isClojureName(name) {
  const end = name.indexOf('(');
  const slash = name.indexOf('/');
  if (slash <= 0 || (end >= 0 && end < slash)) return false;
  return !name.slice(slash + 1, end < 0 ? undefined : end).includes('.');
}

/** @return {boolean} whether names of this kind begin with a package or a namespace */
export function hasPackage(kind) { return kind <= INLINED || kind === CLASS; }

/** @return {number} index into families() */
export function familyOf(kind, name) {
  const clojure = kind <= INLINED && isClojureName(name);
  return familyIndex.get(familyKey(kind, clojure, kind === MARKER && STATES.has(name))) ?? UNKNOWN_KIND;
}

export function families() { return FAMILIES; }

/** @return {boolean} whether this family is no part of any program, and looks like it */
export function isHatched(family) { return FAMILIES[family].id === 'marker'; }

/** What tells the kinds of one method apart. */
const KIND_WORDS = new Map([[INTERPRETED, 'interpreted'], [C1, 'C1'], [JIT, 'C2'], [INLINED, 'inlined']]);

/**
 * @param {{kind: number, total: number}[]} parts of a node @return {{word: string, share: number}[]} largest first,
 *     shares of 1
 */
export function sharesOfKinds(parts) {
  const whole = parts.reduce((sum, part) => sum + part.total, 0);
  const word = (kind) => KIND_WORDS.get(kind) ?? FAMILIES.find((family) => family.kind === kind)?.label ?? 'other';
  return parts.filter((part) => part.total > 0)
      .map((part) => ({word: word(part.kind), share: part.total / whole}))
      .sort((a, b) => b.share - a.share);
}

/** @param {import('./frame_table.js').FrameTable} table @return {Uint8Array} frame -> index into families() */
export function familiesOfFrames(table) {
  return Uint8Array.from({length: table.count}, (_, frame) => familyOf(table.kindOf(frame), table.nameOf(frame)));
}
