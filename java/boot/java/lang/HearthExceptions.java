package java.lang;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The hook in the constructors of Throwable, defined by the agent, which chooses the exceptions that are sampled. Makes
 * no exception itself.
 */
public final class HearthExceptions {
  /** Exceptions of one second that are all sampled where the agent chooses no interval. */
  private static final int FEW = 512;

  private static final long SECOND = 1_000_000_000, LONGEST = 1 << 20;
  private static final long MIX = 0x9e3779b97f4a7c15L, MIX_2 = 0xbf58476d1ce4e5b9L, MIX_3 = 0x94d049bb133111ebL;

  /** Since the start; the agent reads it. */
  private static final AtomicLong MADE = new AtomicLong();

  /** Of so many exceptions one is sampled; 0: as many as they are few; below 0: none. */
  private static long interval = -1;

  private static long seed;

  /** The first exception of the current second, and its end. */
  private static long first, end;

  private HearthExceptions() {}

  static void start(long every, long random) {
    MADE.set(0);
    seed = random;
    first = 0;
    end = System.nanoTime() + SECOND;
    interval = every;
  }

  static void stop() {
    interval = -1;
  }

  /**
   * Chance decides by the exception's number alone, with a probability of one in {@code every}, so that weights are
   * true for each class and site.
   */
  public static void made(Object exception) {
    long every = interval;
    if (every < 0) return;
    long number = MADE.incrementAndGet();
    if (every == 0) every = intervalNow(number);
    if (every == 1 || (random(number) >>> 1) % every == 0) sampled(exception, every);
  }

  /** Returns 1 for the first ones of a second, and twice as much whenever their number has doubled. */
  private static long intervalNow(long number) {
    long earlier = number - first;
    if (earlier < FEW) return 1;
    long now = System.nanoTime();
    if (now - end >= 0) {
      end = now + SECOND;
      first = number;
      return 1;
    }
    return Math.min(2 * Long.highestOneBit(earlier / FEW), LONGEST);
  }

  /** SplitMix64 (Steele, Lea, Flood 2014). */
  private static long random(long number) {
    long mixed = seed + number * MIX;
    mixed = (mixed ^ mixed >>> 30) * MIX_2;
    mixed = (mixed ^ mixed >>> 27) * MIX_3;
    return mixed ^ mixed >>> 31;
  }

  private static native void sampled(Object exception, long weight);
}
