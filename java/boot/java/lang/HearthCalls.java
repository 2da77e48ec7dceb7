package java.lang;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Hooks in the code of traced methods, defined by the agent. In java.lang, as every class loader asks its parents for
 * that package. Calls only methods that have no hooks: native ones, and those of classes that the agent leaves out.
 */
public final class HearthCalls {
  /** A hook's number has the session's in the upper bits, and that of the target in the lower ones. */
  static final int TARGET_BITS = 6, TARGETS = 1 << TARGET_BITS, TARGET = TARGETS - 1;

  /** Cells of a target: four for each power of two of nanoseconds, which are the upper bits of a double. */
  private static final int CELLS = 256, CELL_SHIFT = 50, FIRST_CELL = 1023 << 2;

  /** By the number of a target: the shortest time of a call that is reported, in nanoseconds. */
  private static final long[] SHORTEST = new long[TARGETS];

  /** By the number of a target: its calls, by the cell of their time. */
  private static final AtomicLong[][] CALLS = new AtomicLong[TARGETS][];

  /** Number of the running session: hooks of earlier ones run until their methods end. */
  private static int session = -1;

  private HearthCalls() {}

  /** Counts the target's calls from 0, and reports those that take at least {@code shortest} nanoseconds. */
  static void prepare(int target, long shortest) {
    SHORTEST[target] = shortest;
    AtomicLong[] cells = new AtomicLong[CELLS];
    for (int i = 0; i < CELLS; i++) cells[i] = new AtomicLong();
    CALLS[target] = cells;
  }

  static void follow(int number) {
    session = number;
  }

  /** Returns the target's calls by the cell of their time. */
  static long[] calls(int target) {
    AtomicLong[] cells = CALLS[target];
    long[] numbers = new long[CELLS];
    for (int i = 0; i < CELLS; i++) numbers[i] = cells[i].get();
    return numbers;
  }

  public static void enter(int hook) {
    entered(hook);
  }

  public static long begin() {
    return System.nanoTime();
  }

  public static void leave(long begin, int hook) {
    long took = System.nanoTime() - begin;
    if (hook >> TARGET_BITS != session || took < 0) return;
    int target = hook & TARGET;
    CALLS[target][(int) (Double.doubleToRawLongBits(took | 1) >> CELL_SHIFT) - FIRST_CELL].getAndIncrement();
    if (took >= SHORTEST[target]) left(took, hook);
  }

  private static native void entered(int hook);

  private static native void left(long took, int hook);
}
