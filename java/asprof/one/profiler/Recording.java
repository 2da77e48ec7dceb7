package one.profiler;

import java.nio.ByteBuffer;

/** The JFR recording of the profiler: whether one runs, and its clock. It does not load the profiler. */
public class Recording {
  /** The profiler is not loaded. */
  public static final int UNAVAILABLE = 0;

  /** The profiler is loaded, and no session writes a recording. */
  public static final int STOPPED = 1;

  /** A session writes a recording. */
  public static final int RUNNING = 2;

  private static final long NANOSECONDS = 1_000_000_000;

  /** One of the values above. Only the library sets it, also while this class is initialized. */
  static volatile int state;

  static {
    try {
      registerNatives();
    } catch (UnsatisfiedLinkError error) {
      // The library registers this class when it is loaded.
    }
  }

  private Recording() {}

  public static int state() {
    return state;
  }

  /** Ticks of {@link #timestamp()} a second. */
  public static long clockFrequency() {
    return NANOSECONDS;
  }

  /** The time by the clock of the recording's events. */
  public static long timestamp() {
    return System.nanoTime();
  }

  private static native int registerNatives();

  /** Eight bytes: the time of the last sample of the calling thread; null: there is no memory. */
  static native ByteBuffer getThreadLocalBuffer();

  static native void emitSpan(long startTime, long endTime, String tag);
}
