import java.lang.reflect.Field;
import java.util.concurrent.Callable;
import java.util.function.IntUnaryOperator;

/** Leaves methods in every way, and compares the number of hooks with that of calls. */
class Exits {
  static int calls;
  final int value;

  Exits(int given) {
    this(given > 0 ? new Exits() : null, given);
    calls += 2;
    if (given > 5) throw new IllegalArgumentException();
  }

  Exits() {
    calls++;
    value = 1;
  }

  Exits(Exits other, int given) {
    value = other == null ? given : other.value;
  }

  static long recursive(int depth, long a, double b, String c) {
    calls++;
    if (depth == 0) throw new IllegalStateException();
    try {
      return recursive(depth - 1, a + 1, b, c) + c.length();
    } catch (IllegalStateException error) {
      if (depth % 2 == 0) throw error;
      return depth;
    } finally {
      a--;
    }
  }

  static int switches(int by) {
    calls++;
    switch (by) {
      case 1:
        return 5;
      case 2:
        for (int i = 0; i < 3; i++) by += i;
        return by;
      case 1000:
        return 7;
      case -5000:
        return switches(1);
      default:
        return 0;
    }
  }

  static synchronized void locks(Object lock) {
    calls++;
    synchronized (lock) {
      if (lock instanceof String) return;
      throw new IllegalStateException();
    }
  }

  static void swallow(Callable<?> call) {
    calls += 2; // and the lambda
    try {
      call.call();
    } catch (Exception error) {
      // It leaves the methods before.
    }
  }

  static void work() {
    calls++;
    swallow(() -> recursive(7, 1, 2, "x"));
    swallow(() -> recursive(8, 1, 2, "x"));
    swallow(() -> new Exits(0));
    swallow(() -> new Exits(7));
    for (int by : new int[] {1, 2, 1000, -5000, 4}) switches(by);
    swallow(() -> {
      locks("");
      return 0;
    });
    swallow(() -> {
      locks(new int[0]);
      return 0;
    });
    IntUnaryOperator lambda = x -> {
      calls++;
      return x + 1;
    };
    lambda.applyAsInt(3);
  }

  static int read(Class<?> hooks, String name) throws Exception {
    return hooks.getField(name).getInt(null);
  }

  public static void main(String[] args) throws Exception {
    Class<?> hooks = Class.forName("java.lang.TestHooks");
    work(); // loads its classes
    Field watched = hooks.getField("watched");
    calls = 0;
    watched.set(null, Thread.currentThread());
    work();
    watched.set(null, null);
    int entered = read(hooks, "entered"), left = read(hooks, "left");
    System.out.println("calls " + calls + ", entered " + entered + ", left " + left);
    if (entered != calls || left != calls) System.exit(1);
  }
}
