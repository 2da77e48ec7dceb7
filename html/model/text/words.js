// The closed list of bracketed words that replace frames, with their meanings. The last one counts walk failures and is never a frame.

export const BRACKETED_WORDS = new Map([
  [
    '[unknown_Java]',
    'The thread ran Java code, but its innermost Java frame could not be found. Frames found before that are shown below.'
  ],
  [
    '[not_walkable_Java]',
    'The thread ran Java code at a point where its stack cannot be walked: a frame was being set up or removed.'
  ],
  ['[unknown_not_Java]', 'The thread was in native code called from Java, and the last Java frame could not be found.'],
  [
    '[not_walkable_not_Java]',
    'The thread was in native code called from Java, and the callers of the last Java frame could not be walked.'
  ],
  [
    '[deoptimization]',
    'The JVM was replacing a compiled frame by interpreted ones; meanwhile the stack cannot be read.'
  ],
  ['[GC_active]', 'A garbage collection was moving objects, so Java frames could not be read.'],
  ['[virtual_thread]', 'Below it is the carrier that runs a virtual thread, above it the virtual thread itself.'],
  ['[parked_frames]', 'Frames of a virtual thread that are on the heap and could not be read.'],
  ['[thread_exit]', 'The thread was ending and no longer had a Java stack.'],
  ['[no_class_load]', 'The JVM returned no stack because class loading events were off.'],
  ['[no_Java_frame]', 'A Java thread without Java frames on its stack, for example while it starts.'],
  [
    '[fault]', 'The second attempt to walk this stack met unreadable memory; only this sample is affected.'
  ],
  ['[truncated]', 'The stack was deeper than jstackdepth; its outermost frames are missing.'],
  [
    '[lost]', 'Samples that could not be stored because a buffer was full. Their weight is counted here; their stacks are lost.'
  ],
  ['[unknown]', 'An address outside all known symbols, libraries and generated code.'],
  ['[kernel]', 'A kernel function with a name that the setting kernel.kptr_restrict hides.'],
  ['[runnable]', 'Ready to run: the thread waited for a CPU.'],
  ['[throttled]', 'Ready to run, but the container had used the CPU time that its limit allows.'],
  ['[stolen]', 'Running, but the host of this virtual machine had given the CPU to others.'],
  ['[monitor]', 'Blocked: waiting to enter a Java monitor (synchronized) held by another thread.'],
  ['[waiting]', 'Blocked: in Object.wait, or on a condition of the JVM or of native code.'],
  ['[parked]', 'Blocked: in LockSupport.park, as in locks, queues and pools of java.util.concurrent.'],
  ['[sleeping]', 'Blocked: in Thread.sleep, or in a sleep of native code.'],
  ['[safepoint]', 'Blocked: the JVM had stopped its Java threads, for a garbage collection or something else.'],
  ['[socket]', 'Blocked: on a socket, or waiting for sockets to be ready (select, poll, epoll).'],
  ['[file]', 'Blocked: on a file, a pipe or a terminal.'],
  ['[syscall]', 'Blocked: in another system call, or while the kernel brought in a page of memory.'],
  ['[unknown_holder]', 'The holder of the lock is not known: a thread that is not sampled, or a virtual thread without a carrier.'],
  ['[unknown_waker]', 'A thread that is not sampled ended the wait.'],
  ['[deadlock]', 'The threads further in wait for each other.'],
  ['[unsampled]', 'Time of threads that ended before their first sample or that block the profiling signal.'],
  ['[below minwidth]', 'Frames narrower than the minwidth option, left out when the page was written.'],
  [
    '[root_missing]', 'Stacks without their outermost, native frames: the walk ended before the root of the thread.'
  ],
  [
    '[natives_missing]', 'Stacks that may lack native frames because of code without unwind tables.'
  ],
]);

/** @return {string} the explanation of a bracketed word, '' for any other name */
export function explain(name) {
  if (name.startsWith('[holds')) return 'The frames below hold a lock of this class, and the frames above wait for it.';
  if (name.startsWith('[wakes')) return 'The frames below ended the wait of the frames above, which waited for an object of this class.';
  return BRACKETED_WORDS.get(name) ?? '';
}
