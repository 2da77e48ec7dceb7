package hearth.boot;

/**
 * Lives with the JDK's own classes, where the agent defines it: the JVM warns of whoever binds a method of theirs
 * anew, but for one of them, and looks at the caller's caller to know.
 */
final class Binder {
  private Binder() {}

  /** Lets the agent bind what it wants to. */
  static void bind() {
    bind0();
  }

  private static native void bind0();
}
