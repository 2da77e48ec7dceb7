package java.lang;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * Hooks around the waits of virtual threads, defined by the agent, as {@link HearthCalls}, of which only constants are
 * used: that class may not be there. The hooks call only methods that have none of these hooks.
 */
public final class HearthWaits {
  private static final long MIX = 0x9e3779b97f4a7c15L;

  private static final int UPPER = 33;

  /** Java frames inside of a method that waits: waited(), report() and leave(), or after() and the method with that hook. */
  private static final int FRAMES = 3, FRAMES_AFTER = 4;

  private static final Object GONE = new Object();

  /** Finding the children of each looks at all. */
  private static final int MOST_CONTAINERS = 1000;

  private static int left;

  /** Number of the running session: hooks of earlier ones run until their methods end. */
  private static int session = -1;

  /** A wait is reported with probability time / interval, in nanoseconds. */
  private static long interval;

  /** Waits are reported from this time on. */
  private static long since;

  /** By a hash of a thread's number: when its wait has begun, or that of another thread with this hash; 0: it has ended. */
  private static long[] begins;

  /** The target with a hook that runs before waits for locks, too. */
  private static int afterLock;

  /** The class of virtual threads. */
  private static Class<?> virtual;

  /**
   * Virtual threads that waited when list() was called, in a hash table by their numbers, each with the time (Long) when
   * the wait has begun, about, behind it. GONE in place of those whose wait has ended. Null: there are none.
   */
  private static Object[] waiting;

  /** The time of waits that had begun before the session, and without hooks. */
  private static Long earlier;

  /** Waits that begin from this time on may have no hook; 0: all have one. */
  private static long unhooked;

  /** The time of the last call of list(). */
  private static long listed;

  /** Of the threads that still() has returned: the time that each stands for, and the number of waits. */
  private static long[] times;

  private static double[] counts;

  private HearthWaits() {}

  static void follow(int number, long nanoseconds, Class<?> threads, int target) {
    afterLock = target;
    interval = nanoseconds;
    begins = new long[1 << 17];
    virtual = threads;
    since = System.nanoTime();
    earlier = new Long(0);
    listed = 0;
    unhooked = 0;
    session = number;
  }

  static void ignore() {
    session = -1;
    waiting = null;
    begins = null;
  }

  /** Finds the threads that wait now. */
  static void list() throws ReflectiveOperationException {
    Class<?> containers = Class.forName("jdk.internal.vm.ThreadContainers");
    Class<?> container = Class.forName("jdk.internal.vm.ThreadContainer");
    if (!Boolean.TRUE.equals(containers.getMethod("trackAllThreads").invoke(null)))
      throw new ReflectiveOperationException("jdk.trackAllThreads is false");
    List<Thread> found = new ArrayList<>();
    long now = System.nanoTime();
    left = MOST_CONTAINERS;
    list(containers.getMethod("root").invoke(null), container.getMethod("threads"), container.getMethod("children"), found);
    Object[] before = waiting, after = new Object[Integer.highestOneBit(found.size() + 1) << 3];
    // Waits that were not there at the last call, but for the hash of another thread.
    Long between = listed + (now - listed) / 2;
    for (Thread thread : found) {
      int known = before == null ? -1 : find(before, thread), at = find(after, thread);
      if (at >= 0) continue;
      after[~at + 1] = known >= 0 ? before[known + 1] : listed == 0 ? earlier : begin(thread, between, now);
      after[~at] = thread;
    }
    waiting = found.isEmpty() ? null : after;
    listed = now;
    // Waits that have ended meanwhile took themselves out of the table before.
    for (int at = 0; at < after.length; at += 2) {
      Object one = after[at];
      if (one != null && after[at + 1] != earlier && !waits((Thread) one) && hasEnded((Thread) one)) after[at] = GONE;
    }
  }

  private static void list(Object container, Method threads, Method children, List<Thread> found)
      throws ReflectiveOperationException {
    for (Iterator<?> all = ((Stream<?>) threads.invoke(container)).iterator(); all.hasNext();) {
      Thread thread = (Thread) all.next();
      if (virtual.isInstance(thread) && (waits(thread) || isToRun(thread))) found.add(thread);
    }
    for (Iterator<?> all = ((Stream<?>) children.invoke(container)).iterator(); all.hasNext() && --left > 0;)
      list(all.next(), threads, children, found);
  }

  private static Long begin(Thread thread, Long between, long now) {
    long begin = begins[place(thread)];
    if (begin == 0 && unhooked != 0) return unhooked + (now - unhooked) / 2;
    return begin > listed && begin < now ? (Long) begin : between;
  }

  /** Returns 31 bits, which differ for numbers next to each other. */
  private static int mixed(long number) {
    return (int) (number * MIX >>> UPPER);
  }

  private static int hash(Thread thread) {
    return mixed(thread.getId());
  }

  /** Place in {@code begins}. */
  private static int place(Thread thread) {
    return hash(thread) & begins.length - 1;
  }

  /** Place of the thread in the table; negative: it is not there, and the complement is free. */
  private static int find(Object[] table, Thread thread) {
    int mask = table.length - 1;
    for (int at = hash(thread) << 1 & mask;; at = at + 2 & mask) {
      if (table[at] == thread) return at;
      if (table[at] == null) return ~at;
    }
  }

  /** The thread does not wait any more. */
  private static void take(Thread thread) {
    Object[] table = waiting;
    int at = table == null ? -1 : find(table, thread);
    if (at >= 0) table[at] = GONE;
  }

  /** Whether the wait is over, but the thread has no carrier yet: for the program it still waits. */
  private static boolean isToRun(Thread thread) {
    Object[] table = waiting;
    int at = table == null ? -1 : find(table, thread);
    return at >= 0 && (table[at + 1] == earlier || !hasEnded(thread));
  }

  /** Whether leave() was the thread's last hook, or that of another with this hash. */
  private static boolean hasEnded(Thread thread) {
    return begins[place(thread)] == 0;
  }

  private static boolean waits(Thread thread) {
    Thread.State state = thread.getState();
    return state == Thread.State.WAITING || state == Thread.State.TIMED_WAITING;
  }

  /**
   * Returns threads that list() has found and that still wait: all, or if those are more than {@code most}, so many, each
   * with a chance that follows the time of its wait. Sets {@code times} and {@code counts}, and reports waits that end from
   * now on since now.
   */
  static Thread[] still(int most) {
    Object[] table = waiting;
    long now = System.nanoTime(), from = since;
    since = now;
    times = new long[0];
    counts = new double[0];
    if (table == null) return new Thread[0];
    double total = 0;
    int count = 0;
    for (int at = 0; at < table.length; at += 2) {
      Object one = table[at];
      if (!isThread(one)) continue;
      // A wait from before the session for no lock ends without a hook.
      if (table[at + 1] == earlier && !waits((Thread) one)) {
        table[at] = GONE;
        continue;
      }
      total += time(table[at + 1], from, now);
      count++;
    }
    boolean isAll = count <= most;
    int size = isAll ? count : most;
    Thread[] chosen = new Thread[size];
    times = new long[size];
    counts = new double[size];
    double step = total / most, passed = 0, offset = step * (mixed(now) * 0x1p-31);
    int next = 0;
    for (int at = 0; at < table.length && next < size; at += 2) {
      Object one = table[at];
      if (!isThread(one)) continue;
      long time = time(table[at + 1], from, now);
      passed += time;
      while (next < size && (isAll || next * step + offset < passed)) {
        chosen[next] = (Thread) one;
        times[next] = isAll ? time : (long) step;
        counts[next++] = isAll ? 1 : step / Math.max(time, 1);
        if (isAll) break;
      }
    }
    return chosen;
  }

  private static boolean isThread(Object entry) {
    return entry != null && entry != GONE;
  }

  private static long time(Object begun, long from, long now) {
    return Math.max(now - Math.max((Long) begun, from), 0);
  }

  public static long begin() {
    long now = System.nanoTime();
    long[] all = begins;
    Thread thread = Thread.currentThread();
    if (all == null || !virtual.isInstance(thread)) return now;
    all[hash(thread) & all.length - 1] = now;
    take(thread);
    return now;
  }

  public static void leave(long begin, int hook) {
    long now = System.nanoTime();
    if (hook >> HearthCalls.TARGET_BITS != session) return;
    Thread thread = Thread.currentThread();
    if (!virtual.isInstance(thread)) return;
    long[] all = begins;
    if (all != null) all[hash(thread) & all.length - 1] = 0;
    take(thread);
    report(begin < since ? since : begin, now, thread, FRAMES);
  }

  /** At the beginning of methods that are called after waits: of a wait that began before the session, without a hook. */
  public static void after(int hook) {
    Object[] table = waiting;
    if (table == null || hook >> HearthCalls.TARGET_BITS != session) return;
    Thread thread = Thread.currentThread();
    if (!virtual.isInstance(thread)) return;
    // The thread has its blocker until the wait is over.
    if ((hook & HearthCalls.TARGET) == afterLock && LockSupport.getBlocker(thread) == null) return;
    int at = find(table, thread);
    if (at < 0 || table[at + 1] != earlier) return;
    table[at] = GONE;
    report(since, System.nanoTime(), thread, FRAMES_AFTER);
  }

  private static void report(long begin, long now, Thread thread, int frames) {
    long took = now - begin;
    int threshold = mixed(now);
    if (took >= 0 && took >= interval * (threshold * 0x1p-31)) waited(took, threshold, thread, frames);
  }

  private static native void waited(long took, int threshold, Thread thread, int frames);
}
