package hearth.boot;

/**
 * Defined by the agent among the JDK's own classes: the JVM warns if a native method of the JDK is bound again, except
 * by one of the JDK's classes, which it recognises by the caller's caller.
 */
final class Binder {
  private Binder() {}

  /** Calls back into the agent, which then binds its methods. */
  static void bind() {
    bind0();
  }

  private static native void bind0();
}
