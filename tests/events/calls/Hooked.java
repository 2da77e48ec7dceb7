import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.locks.LockSupport;

/** Compares the calls that hooks report with its own. */
public class Hooked {
  static native long start(String pattern, long shortest);

  static native String stop();

  static native long calls();

  /** All calls by their time, also of those that are too short to be reported; of starts with `shortest` from 0 on. */
  static native long counted();

  /** Changes of loaded classes so far. */
  static native long changes();

  /** Bytes of the code of the class's method call(). */
  static native int codeSize(Class<?> type);

  /** From now on hooks stop as at the end of the JVM. */
  static native void end();

  public static int own;
  static volatile int sink;

  static int burn(int depth) {
    own++;
    if (depth == 0) throw new IllegalStateException();
    try {
      return depth % 3 == 0 ? burn(depth - 1) : depth;
    } catch (IllegalStateException error) {
      return 1;
    }
  }

  static int small(int x) {
    return x + 1;
  }

  static void sleep(long ms) throws InterruptedException {
    Thread.sleep(ms);
  }

  public static class Later {
    public static void call() {
      own++;
    }
  }

  public static class Base {}

  public static class Derived extends Base {
    public static void call() {
      own++;
    }
  }

  /** Defines a second class of a name. */
  static class Loader extends ClassLoader {
    Loader(ClassLoader parent) {
      super(parent);
    }

    Class<?> define(String name) throws Exception {
      try (InputStream in = Hooked.class.getResourceAsStream(name + ".class")) {
        byte[] bytes = new byte[65536];
        return defineClass(name, bytes, 0, in.read(bytes));
      }
    }
  }

  /** Takes until `ends` to find the class of the hooks. */
  static class SlowLoader extends Loader {
    final CountDownLatch begins = new CountDownLatch(1), ends = new CountDownLatch(1);

    SlowLoader() {
      super(Hooked.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (name.equals("java.lang.HearthCalls")) {
        begins.countDown();
        try {
          ends.await();
        } catch (InterruptedException error) {
          throw new IllegalStateException(error);
        }
      }
      return super.loadClass(name, resolve);
    }
  }

  static void check(String what, long expected, long actual) {
    System.out.println(what + ": " + actual);
    if (expected != actual) {
      System.out.println("expected " + expected);
      Runtime.getRuntime().halt(1);
    }
  }

  static void expectNoMore(String what, long most, long actual) {
    System.out.println(what + ": " + actual);
    if (actual > most) {
      System.out.println("expected at most " + most);
      Runtime.getRuntime().halt(1);
    }
  }

  static void expectRefusal(String pattern) {
    try {
      start(pattern, 0);
      check("refusals of " + pattern, 1, 0);
    } catch (IllegalStateException error) {
      System.out.println(error.getMessage());
    }
  }

  static void expectNoTrouble(String trouble) {
    if (!trouble.isEmpty()) {
      System.out.println(trouble);
      Runtime.getRuntime().halt(1);
    }
  }

  static long metaspace() {
    for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans())
      if (pool.getName().equals("Metaspace")) return pool.getUsage().getUsed();
    return 0;
  }

  static double nanosOfClock() {
    double best = 1e9;
    for (int round = 0; round < 8; round++) {
      long begin = System.nanoTime();
      for (int i = 0; i < 1_000_000; i++) sink = (int) System.nanoTime();
      best = Math.min(best, (System.nanoTime() - begin) / 1e6);
    }
    return best;
  }

  static double nanosOfCall() {
    double best = 1e9;
    for (int round = 0; round < 8; round++) {
      long begin = System.nanoTime();
      for (int i = 0; i < 2_000_000; i++) sink = small(i);
      best = Math.min(best, (System.nanoTime() - begin) / 2e6);
    }
    return best;
  }

  static void countsAndTimes() throws Exception {
    for (long shortest : new long[] {-1, 0}) {
      long methods = start("Hooked.burn", shortest);
      check("methods", 1, methods);
      own = 0;
      for (int i = 0; i < 100_000; i++) {
        try {
          burn(i % 4);
        } catch (IllegalStateException error) {
          // of depth 0
        }
      }
      expectNoTrouble(stop());
      check("calls", own, calls());
      if (shortest == 0) check("calls by time", own, counted());
      long before = calls();
      burn(2);
      check("calls after stop", before, calls());
    }
    start("Hooked.sleep", 50_000_000);
    sleep(1);
    sleep(60);
    stop();
    check("long calls", 1, calls());
    check("long and short calls", 2, counted());
  }

  /** A pattern of all classes changes those with such a method, and those that do not list their methods yet. */
  static void otherClasses() throws Exception {
    long before = changes();
    start("*.*", -1);
    long all = changes() - before;
    stop();
    before = changes();
    check("methods", 1, start("*.burn", -1));
    expectNoMore("changed classes of " + all, all / 2, changes() - before);
    before = changes();
    expectNoTrouble(stop());
    check("classes changed by the stop", 1, changes() - before);
  }

  static void classesLoadedLater() throws Exception {
    own = 0;
    start("Hooked$Later.*", -1);
    Later.call();
    new Loader(Hooked.class.getClassLoader()).define("Hooked$Later").getDeclaredMethod("call").invoke(null);
    expectNoTrouble(stop());
    check("calls of classes loaded later", own, calls());
  }

  /** A definition that fails, and one that ends after the stop. */
  static void classesThatDoNotCome() throws Exception {
    Later.call();
    int plain = codeSize(Later.class);
    start("Hooked$*.call", -1);
    try {
      new Loader(null).define("Hooked$Derived");
      check("classes without their superclass", 0, 1);
    } catch (NoClassDefFoundError error) {
      // it has hooks, and never comes
    }
    check("code with hooks", 1, codeSize(Later.class) > plain ? 1 : 0);
    long before = changes();
    expectNoTrouble(stop());
    check("classes changed by a stop", 1, changes() - before);
    check("code after the stop", plain, codeSize(Later.class));

    SlowLoader loader = new SlowLoader();
    start("Hooked$*.call", -1);
    FutureTask<Class<?>> late = new FutureTask<>(() -> loader.define("Hooked$Later"));
    new Thread(late).start();
    loader.begins.await();
    long started = changes();
    Thread release = new Thread(() -> {
      while (changes() == started) Thread.yield();
      // The later the harder for a stop, which waits for the definition.
      LockSupport.parkNanos(200_000_000);
      loader.ends.countDown();
    });
    release.start();
    expectNoTrouble(stop());
    release.join();
    check("code of a class that came after the stop", plain, codeSize(late.get()));
  }

  static void endOfTheJvm() {
    start("Hooked$Later.call", 0);
    Later.call();
    long before = changes();
    end();
    expectNoTrouble(stop());
    check("classes changed at the end", 0, changes() - before);
    check("calls before the end", 1, counted());
    Later.call();
    check("calls after the end", 1, calls());
  }

  /** Waits on virtual threads, where there are some. */
  static void virtualThreads(String pattern, int count) throws Exception {
    Method startVirtual;
    try {
      startVirtual = Thread.class.getMethod("startVirtualThread", Runnable.class);
    } catch (NoSuchMethodException error) {
      return;
    }
    start(pattern, 50_000_000);
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      threads.add((Thread) startVirtual.invoke(null, (Runnable) () -> {
        try {
          sleep(60);
          sleep(1);
        } catch (InterruptedException error) {
          throw new IllegalStateException(error);
        }
      }));
    }
    for (Thread thread : threads) thread.join();
    stop();
    if (pattern.equals("Hooked.sleep") && calls() < count) check("calls of virtual threads", count, calls());
    System.out.println("long calls of " + count + " virtual threads: " + calls());
  }

  public static void main(String[] args) throws Exception {
    System.load(args[0]);
    countsAndTimes();
    expectRefusal("Hooked");
    otherClasses();
    classesThatDoNotCome();
    classesLoadedLater();
    virtualThreads("Hooked.sleep", 500);
    virtualThreads("*.*", 500);
    double plain = nanosOfCall();
    start("Hooked.small", 1_000_000_000);
    double timed = nanosOfCall();
    stop();
    System.out.printf("a call takes %.1f ns, below the threshold %.1f ns, after stop %.1f ns; nanoTime %.1f ns%n", plain,
        timed, nanosOfCall(), nanosOfClock());
    long methods = start("*.*", 1_000_000_000);
    System.out.println("all methods: " + methods);
    sleep(100);
    System.out.println("stopped: " + stop());
    long first = 0;
    int rounds = Integer.parseInt(args[1]);
    for (int i = 0; i < rounds; i++) {
      start("Hooked.*", 0);
      stop();
      if (i == rounds / 3) {
        System.gc();
        first = metaspace();
      }
    }
    long grown = Long.MAX_VALUE;
    // A collection keeps the old methods that a compiler is still working on: a later one removes them.
    for (int tries = 0; tries < 50 && grown > 1 << 20; tries++) {
      System.gc();
      grown = metaspace() - first;
      if (grown > 1 << 20) Thread.sleep(100);
    }
    System.out.println("Metaspace grew " + grown + " bytes in " + rounds * 2 / 3 + " starts");
    if (grown > 1 << 20) System.exit(1);
    endOfTheJvm();
  }
}
