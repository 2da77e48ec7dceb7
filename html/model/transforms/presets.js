// Presets: named lists of common transforms.

const SEQ =
    'map|mapv|map-indexed|mapcat|filter|filterv|remove|keep|keep-indexed|reduce|reduce-kv|reduce1|doall|dorun|doseq|into|into1|run!|' +
    'some|every\\?|sequence|transduce|eduction|completing|apply|comp|partial|juxt|concat|take|take-while|drop|drop-while|partition|' +
    'partition-all|interleave|interpose|distinct|dedupe|cat|seq|rest|next|first|second|last|cons|chunk|chunk-first|chunk-rest|chunk-next|chunk-cons|fn(?:--\\d+)?|' +
    'coll-reduce|internal-reduce|coll-fold|iter-reduce|seq-reduce|naive-seq-reduce|interface-or-naive-reduce|preserving-reduced|kv-reduce';
const SEQ_CLASSES =
    'LazySeq|Cons|ChunkedCons|ChunkBuffer|ArrayChunk|ArraySeq|IteratorSeq|RT|TransformerIterator\\$?\\w*|PersistentVector\\$?\\w*|' +
    'PersistentHashMap\\$?\\w*|PersistentArrayMap\\$?\\w*|PersistentList\\$?\\w*|APersistentVector\\$?\\w*|APersistentMap\\$?\\w*|LongRange|Range|' +
    'Iterate|Repeat|Cycle|ASeq|MultiFn|AFn|RestFn|AFunction\\$?\\w*|Var';
// Matches names with slashes and with dots. Covers the methods that call the next step, not those that do the work.
const STEPS = '(?:sval|seq|first|next|more|rest|chunkedFirst|chunkedNext|chunkedMore|reduce|fold|kvreduce|apply\\w*|invoke\\w*|doInvoke|run|call|hasNext|step|nextImpl|nodeSeq|toArray|forEach\\w*)';

const clojure = (namespace, functions) => `/^clojure\\.${namespace}\\/(?:${functions})(?:\\/.*)?$/`;

/** @type {{id: string, label: string, words: string, transforms: import('./transforms.js').Transform[]}[]} */
export const PRESETS = [
  {
    id: 'clojure-seq',
    label: 'Clojure: seqs and transducers',
    words: 'Hides the frames of map, filter, reduce, transducers, lazy seqs and function calls; their weight counts for the callers.',
    transforms: [
      {type: 'hide', what: `/^clojure[./]lang[./](?:${SEQ_CLASSES})[./]${STEPS}$/`},
      {type: 'hide', what: clojure('core(?:\\.protocols)?', SEQ)},
      {type: 'merge-similar'},
      {type: 'collapse-recursion'},
    ],
  },
  {
    id: 'clojure-async',
    label: 'Clojure: core.async',
    words: 'Hides channels, dispatch and the state machines of go blocks; the work of a go block stays below its function.',
    transforms: [
      {type: 'hide', what: '/^clojure\\.core\\.async(?:\\.impl\\.[^/]*)?\\/.*$/'},
      {type: 'replace', what: '/^([^;]*)\\/fn--\\d+\\/state-machine--\\d+[^;]*$/', replacement: '$1/go'},
      {type: 'hide', what: '/^clojure[./]core[./]async[./].*$/'},
      {type: 'merge-similar'},
      {type: 'collapse-recursion'},
    ],
  },
  {
    id: 'clojure-reflection',
    label: 'Clojure: reflection',
    words: 'Merges the frames of each reflective call into one frame [reflection].',
    transforms: [
      {type: 'replace', what: '/^clojure[./]lang[./]Reflector[./][^;]*$/', replacement: '[reflection]'},
      {type: 'hide', what: '/^(?:java[./]lang[./]reflect|(?:jdk[./]internal|sun)[./]reflect|java[./]lang[./]invoke)[./].*$/'},
      {type: 'collapse-recursion', what: '/^\\[reflection\\]$/'},
    ],
  },
  {
    id: 'java-lambda',
    label: 'Java: lambdas and proxies',
    words: 'Merges lambdas, proxies and accessors that differ in a number, and hides the calls of the JVM to them.',
    transforms: [
      {type: 'hide', what: '/^java[./]lang[./]invoke[./](?:LambdaForm|DirectMethodHandle|DelegatingMethodHandle|BoundMethodHandle|Invokers|MethodHandle).*$/'},
      {type: 'hide', what: '/^(?:java[./]lang[./]reflect|(?:jdk[./]internal|sun)[./]reflect)[./].*$/'},
      {type: 'merge-similar'},
    ],
  },
];
