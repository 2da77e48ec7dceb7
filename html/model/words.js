// The closed list of bracketed words that stand where a frame should, and what each tells. The last one counts walk failures and is
// never a frame.

export const BRACKETED_WORDS = new Map([
  [
    '[unknown_Java]',
    'The thread ran Java code, but its innermost Java frame could not be found. What was walked before is shown below.'
  ],
  [
    '[not_walkable_Java]',
    'The thread ran Java code at a point where its stack cannot be followed: a frame was being set up or taken down.'
  ],
  ['[unknown_not_Java]', 'The thread was in native code called from Java, and the last Java frame could not be found.'],
  [
    '[not_walkable_not_Java]',
    'The thread was in native code called from Java, and the last Java frame could not be followed outwards.'
  ],
  [
    '[deoptimization]',
    'The JVM was replacing a compiled frame by interpreted ones; for that moment the stack has no readable form.'
  ],
  ['[GC_active]', 'A garbage collection was moving objects, so Java frames could not be asked for.'],
  ['[virtual_thread]', 'Below it is the carrier that runs a virtual thread, above it the virtual thread itself.'],
  ['[parked_frames]', 'Frames of a virtual thread that lie on the heap and could not be read.'],
  ['[thread_exit]', 'The thread was ending and had given up its Java stack.'],
  ['[no_class_load]', 'The JVM refused to tell, because class loading events were switched off.'],
  ['[no_Java_frame]', 'A Java thread that had no Java frame on its stack, as while it starts.'],
  [
    '[fault]', 'The second try to walk this stack hit unreadable memory and was given up; only this sample is affected.'
  ],
  ['[truncated]', 'The stack was deeper than jstackdepth; its outermost frames are missing.'],
  [
    '[lost]', 'Samples that were taken and found no room to be stored. Their weight is kept here, their stacks are not.'
  ],
  ['[unknown]', 'An address that no symbol, library or generated code claims.'],
  ['[kernel]', 'A kernel function whose name the kernel hides: kernel.kptr_restrict.'],
  ['[runnable]', 'The thread could have run and waited for a CPU.'],
  ['[monitor]', 'Blocked: the thread waited to enter a Java monitor (synchronized) that another one held.'],
  ['[waiting]', 'Blocked: in Object.wait, or on a condition of the JVM or of native code.'],
  ['[parked]', 'Blocked: in LockSupport.park, as in locks, queues and pools of java.util.concurrent.'],
  ['[sleeping]', 'Blocked: in Thread.sleep, or in a sleep of native code.'],
  ['[safepoint]', 'Blocked: the JVM had stopped its Java threads, for a garbage collection or something else.'],
  ['[socket]', 'Blocked: on a socket, or on the readiness of some (select, poll, epoll).'],
  ['[file]', 'Blocked: on a file, a pipe or a terminal.'],
  ['[syscall]', 'Blocked: in another system call, or while the kernel brought in a page of memory.'],
  ['[unsampled]', 'The time of threads that ended before their first sample, or that block the profiling signal.'],
  ['[below minwidth]', 'Frames narrower than the minwidth option that were left out when the page was written.'],
  [
    '[root_missing]', 'Stacks whose outermost, native part was not found: the walk lost its way before the root of the thread.'
  ],
]);

/** @return {string} the explanation of a bracketed word, '' for any other name */
export function explain(name) { return BRACKETED_WORDS.get(name) ?? ''; }
