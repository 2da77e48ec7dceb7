// Profiles for tests and for looking at: a made-up Clojure JSON service, and trees of any size. The same each time.

import {columnsOf, CPU_VALUES, KIND} from './make_page.mjs';

const {interpreted, c1, jit, inlined, native, cpp, kernel, stub, marker} = KIND;

/** @param {number} seed @return {function(): number} 0 to 1, the same numbers for the same seed */
function randomNumbers(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

const THREAD_BASE = [['start_thread', native], ['thread_native_entry', cpp], ['Thread::call_run', cpp]];

const WORKER = [
  ...THREAD_BASE,
  ['JavaThread::thread_main_inner', cpp],
  ['thread_entry', cpp],
  ['JavaCalls::call_virtual', cpp],
  ['JavaCalls::call_helper', cpp],
  ['call_stub', stub],
  ['java/lang/Thread.run', interpreted],
  ['org/eclipse/jetty/util/thread/QueuedThreadPool$Runner.run', jit],
  ['org/eclipse/jetty/util/thread/QueuedThreadPool.runJob', inlined],
  ['org/eclipse/jetty/util/thread/strategy/EatWhatYouKill.produce', jit],
  ['org/eclipse/jetty/io/FillInterest.fillable', inlined],
  ['org/eclipse/jetty/io/AbstractConnection$ReadCallback.succeeded', jit],
  ['org/eclipse/jetty/server/HttpConnection.onFillable', jit],
  ['org/eclipse/jetty/server/HttpChannel.handle', jit],
  ['org/eclipse/jetty/server/Server.handle', jit],
  ['org/eclipse/jetty/server/handler/HandlerWrapper.handle', inlined],
  ['ring.adapter.jetty/proxy-handler/fn--4711', jit],
  ['ring.middleware.params/wrap-params/fn--1822', jit],
  ['ring.middleware.keyword-params/wrap-keyword-params/fn--1901', inlined],
  ['shop.service/wrap-errors/fn--2210', jit],
  ['reitit.ring/ring-handler/fn--9034', jit],
  ['shop.service/handle-order', jit],
];

const PARSE = [
  ['cheshire.core/parse-string', jit],
  ['cheshire.parse/parse', inlined],
  ['cheshire.parse/parse*', jit],
  ['cheshire.parse/parse-object', jit],
  ['cheshire.parse/parse*', jit],
  ['cheshire.parse/parse-array', jit],
  ['cheshire.parse/parse*', jit],
  ['cheshire.parse/parse-object', jit],
];

const JACKSON = 'com/fasterxml/jackson/core/json/ReaderBasedJsonParser';

const LEAVES = [
  [[[`${JACKSON}.nextToken`, jit]], 210],
  [[[`${JACKSON}.nextToken`, jit], [`${JACKSON}._skipWSOrEnd`, inlined]], 160],
  [
    [
      [`${JACKSON}.nextToken`, jit], [`${JACKSON}._parseName`, inlined],
      ['com/fasterxml/jackson/core/sym/CharsToNameCanonicalizer.findSymbol', inlined]
    ],
    240
  ],
  [
    [
      [`${JACKSON}.getText`, jit], ['com/fasterxml/jackson/core/util/TextBuffer.contentsAsString', inlined],
      ['java/lang/String.<init>', inlined], ['java/lang/StringUTF16.compress', jit]
    ],
    190
  ],
  [[[`${JACKSON}._finishString2`, c1]], 44],
  [
    [
      ['clojure.core/assoc!', inlined], ['clojure/lang/PersistentHashMap$TransientHashMap.doAssoc', jit],
      ['clojure/lang/PersistentHashMap$BitmapIndexedNode.assoc', jit]
    ],
    280
  ],
  [
    [
      ['clojure.core/assoc!', inlined], ['clojure/lang/PersistentArrayMap$TransientArrayMap.doAssoc', jit],
      ['clojure/lang/Util.equiv', inlined]
    ],
    130
  ],
  [
    [
      ['clojure.core/keyword', jit], ['clojure/lang/Keyword.intern', jit],
      ['java/util/concurrent/ConcurrentHashMap.get', jit]
    ],
    175
  ],
  [
    [
      ['clojure.core/conj!', jit], ['clojure/lang/PersistentVector$TransientVector.conj', inlined],
      ['vtable stub', stub]
    ],
    36
  ],
  [[['clojure.core/persistent!', inlined]], 28],
  [[['[unknown_Java]', marker]], 22],
  [
    [
      ['java/lang/Throwable.fillInStackTrace', interpreted], ['JVM_FillInStackTrace', cpp],
      ['java_lang_Throwable::fill_in_stack_trace(Handle, methodHandle const&, JavaThread*)', cpp],
      ['CodeCache::find_blob(void*)', cpp]
    ],
    61
  ],
];

const KERNEL_WRITE = [
  ['java/net/SocketOutputStream.socketWrite0', interpreted],
  ['Java_java_net_SocketOutputStream_socketWrite0', native],
  ['NET_Send', native],
  ['__libc_send', native],
  ['entry_SYSCALL_64_after_hwframe', kernel],
  ['do_syscall_64', kernel],
  ['__x64_sys_sendto', kernel],
  ['sock_sendmsg', kernel],
  ['tcp_sendmsg', kernel],
  ['tcp_write_xmit', kernel],
  ['ip_queue_xmit', kernel],
];

const COLLECTOR = [
  ...THREAD_BASE,
  ['WorkerThread::run', cpp],
  ['G1ParTask::work(unsigned int)', cpp],
  ['G1ParScanThreadState::trim_queue_to_threshold(unsigned int)', cpp],
];

const COMPILER = [
  ...THREAD_BASE,
  ['JavaThread::thread_main_inner', cpp],
  ['CompileBroker::compiler_thread_loop', cpp],
  ['C2Compiler::compile_method(ciEnv*, ciMethod*, int, bool, DirectiveSet*)', cpp],
  ['Compile::Compile', cpp],
];

function serviceStacks(random) {
  const stacks = [];
  const add = (frames, weight) => {
    const samples = Math.max(1, Math.round(weight * (0.7 + 0.6 * random())));
    stacks.push({frames, values: [samples, Math.round(samples * 1e6 * (0.97 + 0.06 * random()))]});
  };
  for (let depth = 3; depth <= PARSE.length; depth++) {
    for (const [leaf, weight] of LEAVES) add([...WORKER, ...PARSE.slice(0, depth), ...leaf], weight / (1 + depth % 3));
  }
  const lazy = [];
  for (let depth = 0; depth < 9; depth++) {
    lazy.push(['clojure.core/map/fn--5931', jit], ['clojure.lang/seq', inlined], ['clojure/lang/LazySeq.sval', jit]);
    add(
        [
          ...WORKER, ['clojure.core/mapv', jit], ...lazy, ['shop.pricing/line-total', jit],
          ['clojure.lang.Numbers/multiply', inlined]
        ],
        60);
    add([...WORKER, ['clojure.core/mapv', jit], ...lazy, ['shop.pricing/->discounted*', jit]], 33);
  }
  add(
      [
        ...WORKER, ['cheshire.core/generate-string', jit], ['cheshire.generate/generate', jit],
        ['com/fasterxml/jackson/core/json/WriterBasedJsonGenerator.writeString', jit]
      ],
      420);
  add(
      [
        ...WORKER, ['ring.util.servlet/update-servlet-response', jit], ...KERNEL_WRITE, ['__dev_queue_xmit', kernel],
        ['loopback_xmit', kernel]
      ],
      230);
  add([...WORKER, ['ring.util.servlet/update-servlet-response', jit], ...KERNEL_WRITE], 120);
  for (const [leaf, weight] of [
           ['copy_to_survivor_space', 260], ['steal_and_trim_queue', 120], ['do_oop_evac<narrowOop>', 180]]) {
    add([...COLLECTOR, [`G1ParScanThreadState::${leaf}`, cpp]], weight);
  }
  add(
      [
        ...COLLECTOR, ['G1ParScanThreadState::copy_to_survivor_space', cpp], ['asm_exc_page_fault', kernel],
        ['do_user_addr_fault', kernel], ['handle_mm_fault', kernel], ['clear_page_erms', kernel]
      ],
      140);
  for (const phase
           of ['PhaseIdealLoop::build_and_optimize', 'PhaseChaitin::Register_Allocate', 'PhaseCCP::analyze',
               'Matcher::match']) {
    add([...COMPILER, [phase, cpp], ['Node_List::push', cpp]], 55);
  }
  add([...THREAD_BASE, ['[no_Java_frame]', marker]], 18);
  add([['[libunknown.so]', native], ['[unknown]', marker]], 6);
  add([['[lost]', marker]], 9);
  return stacks;
}

/** @return {Object} columns of a Clojure JSON service under load, some forty frames deep */
export function service(header = {}) {
  return columnsOf(serviceStacks(randomNumbers(7)), {
    title: 'Order service under load',
    quality: {
      samples: 12407,
      lost: 9,
      lost_weight: 9e6,
      java_samples: 10911,
      whole: 10824,
      whole_share: 10824 / 10911,
      failures: {unknown_Java: 64, no_Java_frame: 18, unknown_not_Java: 5},
      without_symbols: {},
      truncated: 0,
      recovered: 1873,
      walk_ns_mean: 4210,
      walk_ns_p50: 4000,
      walk_ns_p99: 11200,
      handler_ns_mean: 6130,
      handler_ns_p50: 5900,
      handler_ns_p99: 15300,
      engine: 'perf_events',
      own_cpu_ns: 76e6,
      threads_cpu_ns: 12.4e9,
      notes: [],
    },
    ...header,
  });
}

/**
 * @param {number} leaves how many stacks @param {number} seed
 * @return {Object} columns of a random tree, 20 to 60 deep, 4,300 names, some three nodes a stack
 */
export function forest(leaves, seed = 1) {
  const random = randomNumbers(seed);
  const names =
      Array
          .from(
              {length: 4300},
              (_, i) => `app/module${String(i % 97).padStart(2, '0')}/Class${String(i).padStart(4, '0')}.method`)
          .sort();
  const kinds = [jit, jit, inlined, jit, c1, native, cpp, interpreted];
  const frames = names.map((_, i) => [i, kinds[i % kinds.length]]);
  const ups = [], nodeFrames = [], rowCounts = [], samples = [], times = [];
  let depth = 0;
  for (let leaf = 0; leaf < leaves; leaf++) {
    const up = leaf === 0 ? 0 : 1 + Math.floor(Math.log2(1 / (random() + 1e-12)) * 1.2);
    const meet = Math.max(0, depth - up);
    const goal = Math.max(
        meet + 1, Math.min(60, leaf === 0 ? 40 : meet + 1 + Math.floor(random() * 5) + (meet < 20 ? 20 - meet : 0)));
    for (let level = meet; level < goal; level++) {
      ups.push(level === meet ? depth - meet : 0);
      nodeFrames.push(Math.floor(random() * random() * 4300));
      const hasRow = level === goal - 1;
      rowCounts.push(hasRow ? 1 : 0);
      if (!hasRow) continue;
      const count = 1 + Math.floor(random() * 3);
      samples.push(count);
      times.push(count * 1000000);
    }
    depth = goal;
  }
  return {
    header: {...columnsOf([]).header, title: `${leaves} stacks`, values: CPU_VALUES},
    names,
    frames,
    ups,
    nodeFrames,
    rowCounts,
    values: [samples, times]
  };
}

/**
 * @param {[string, number, number][]} leaves name, samples before and after, below main @param {Object} header
 * @return {Object} columns of a difference; a sample is 10 ms
 */
export function differenceOf(leaves, header = {}) {
  const stacks = leaves.map(([name, before, after]) => ({
    frames: [['main', native], ...name.split(';').map((frame) => [frame, jit])],
    values: [before, before * 10e6, after, after * 10e6],
  }));
  const origin = {event: 'cpu', interval: 10e6, start_unix_ms: 1773500966000, duration_ns: 10e9, producer: 'hearth 0.1.0'};
  const quality = {samples: 1000, lost: 0, java_samples: 1000, whole: 990, whole_share: 0.99, engine: 'perf_events', own_cpu_ns: 61e6};
  const sides = ['old.pb.gz', 'new.pb.gz'].map((name, i) => ({...origin, name, quality: {...quality, lost: i}}));
  return columnsOf(stacks, {
    title: 'old.pb.gz → new.pb.gz',
    values: [...CPU_VALUES, ...CPU_VALUES],
    difference: {normalized: true, sides},
    ...header,
  });
}

/**
 * Rows from the root: all, main, then a.b/parse (60 %), java/Writer.write (30 %) and [unknown_Java] (10 %) side by
 * side.
 */
export const SMALL = columnsOf([
  {frames: [['main', native], ['a.b/parse', jit], ['a.b/token', jit]], values: [40, 40e6]},
  {frames: [['main', native], ['a.b/parse', jit]], values: [20, 20e6]},
  {frames: [['main', native], ['java/Writer.write', jit], ['a.b/token', jit]], values: [30, 30e6]},
  {frames: [['main', native], ['[unknown_Java]', marker]], values: [10, 10e6]},
]);
