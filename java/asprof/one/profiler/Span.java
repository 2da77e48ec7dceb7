package one.profiler;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A stretch of time of one thread with a tag, which a recording shows among its samples:
 *
 * <pre>{@code
 * long span = Span.start();
 * handle(request);
 * Span.end(span, request.path());
 * }</pre>
 *
 * Does nothing while no session writes a recording.
 */
public class Span {
  private static final Class<?> VIRTUAL_THREAD = virtualThreadClass();

  // The time of the thread's last sample; of a thread without memory for it, one that is later than all spans.
  private static final ThreadLocal<ByteBuffer> LAST_SAMPLE =
      ThreadLocal.withInitial(
          () -> {
            ByteBuffer time = Recording.getThreadLocalBuffer();
            if (time == null) time = ByteBuffer.allocateDirect(Long.BYTES).order(ByteOrder.nativeOrder()).putLong(0, Long.MAX_VALUE);
            return time.order(ByteOrder.nativeOrder());
          });

  private Span() {}

  private static Class<?> virtualThreadClass() {
    try {
      return Class.forName("java.lang.BaseVirtualThread");
    } catch (ClassNotFoundException error) {
      return null;
    }
  }

  // Samples of a virtual thread are those of its carriers, which change.
  private static boolean wasSampledSince(long time) {
    boolean isVirtual = VIRTUAL_THREAD != null && VIRTUAL_THREAD.isInstance(Thread.currentThread());
    return isVirtual || LAST_SAMPLE.get().getLong(0) >= time;
  }

  private static boolean isRecorded() {
    return Recording.state == Recording.RUNNING;
  }

  /** Returns the time now, for {@link #end}; 0: no recording is being written. */
  public static long start() {
    if (!isRecorded()) return 0;
    LAST_SAMPLE.get(); // samples note their time from now on
    return Recording.timestamp();
  }

  /** Records the span from {@code startTime} until now; {@code tag} may be null. */
  public static void end(long startTime, String tag) {
    if (startTime != 0 && isRecorded()) Recording.emitSpan(startTime, Recording.timestamp(), tag);
  }

  /** The same, if the thread was sampled meanwhile: for spans that are many and short. */
  public static void endIfProfiled(long startTime, String tag) {
    if (startTime != 0 && isRecorded() && wasSampledSince(startTime))
      Recording.emitSpan(startTime, Recording.timestamp(), tag);
  }

  /** Records a span of the past; times are those of {@link Recording#timestamp()}. */
  public static void emit(long startTime, long endTime, String tag) {
    if (isRecorded()) Recording.emitSpan(startTime, endTime, tag);
  }

  /** The same, if the thread was sampled since its start. */
  public static void emitIfProfiled(long startTime, long endTime, String tag) {
    if (isRecorded() && wasSampledSince(startTime)) Recording.emitSpan(startTime, endTime, tag);
  }
}
