package one.profiler;

/** The number that a dump has for each stack. */
public enum Counter {
  /** How often it was sampled. */
  SAMPLES,
  /** The sum of the samples' weights: nanoseconds, or bytes. */
  TOTAL
}
