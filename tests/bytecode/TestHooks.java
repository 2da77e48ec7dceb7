package java.lang;

/** Hooks of the test, which run before the JVM is initialized: without any other class. */
public final class TestHooks {
  public static volatile Thread watched;
  public static int entered;
  public static int left;

  private TestHooks() {}

  public static void enter(int number) {
    if (number != 1 && number != 3) fail();
    if (number == 3 && watched != null && Thread.currentThread() == watched) entered++;
  }

  public static void made(Object object) {
    if (object == null) fail();
  }

  public static long begin() {
    return 4242;
  }

  public static void leave(long begin, int number) {
    if ((number != 2 && number != 4) || begin != 4242) fail();
    if (number == 4 && watched != null && Thread.currentThread() == watched) left++;
  }

  private static void fail() {
    Runtime.getRuntime().halt(3);
  }
}
