import java.io.InputStream;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;

/**
 * Hard cases for a profiler that follows objects: their classes are unloaded ("unload"), memory ends ("full"), collections
 * run all the time ("churn"). Prints "ready", works after a line of input, prints "done OBJECTS" and ends after another
 * line; "exit": ends by itself.
 */
public class Hardships {
    static final int LOADERS = 20, OBJECTS = 500, THREADS = 4, ROUNDS = 50_000;

    public static class Passing {
        final Passing next;
        Passing(Passing next) { this.next = next; }

        public static Object fill(int objects) {
            Passing last = null;
            for (int i = 0; i < objects; i++) last = new Passing(last);
            return last;
        }
    }

    // Defines Passing again.
    static class Loader extends ClassLoader {
        static final byte[] BYTES = read();

        static byte[] read() {
            try (InputStream in = Hardships.class.getResourceAsStream("Hardships$Passing.class")) {
                return in.readAllBytes();
            } catch (java.io.IOException error) {
                throw new java.io.UncheckedIOException(error);
            }
        }

        Class<?> passing() { return defineClass("Hardships$Passing", BYTES, 0, BYTES.length); }
    }

    private static long unload() throws Exception {
        List<WeakReference<Class<?>>> classes = new ArrayList<>();
        for (int i = 0; i < LOADERS; i++) {
            Class<?> passing = new Loader().passing();
            passing.getMethod("fill", int.class).invoke(null, OBJECTS);
            classes.add(new WeakReference<>(passing));
        }
        for (WeakReference<Class<?>> one : classes) {
            while (one.get() != null) System.gc();
        }
        return (long) LOADERS * OBJECTS;
    }

    private static long full() {
        long errors = 0;
        for (int i = 0; i < 5; i++) {
            List<byte[]> all = new ArrayList<>();
            try {
                for (;;) all.add(new byte[10_000]);
            } catch (OutOfMemoryError error) {
                all.clear();
                errors++;
            }
        }
        return errors;
    }

    static class Churned {
        final Churned before;
        Churned(Churned before) { this.before = before; }
    }

    private static Churned kept;

    private static void churn(int thread) {
        Churned last = null;
        for (int i = 0; i < ROUNDS; i++) {
            last = new Churned(i % 100 == 0 ? null : last);
            if (i % 100 == thread) kept = last;
        }
    }

    private static long churn() throws Exception {
        Thread[] threads = new Thread[THREADS];
        for (int i = 0; i < THREADS; i++) {
            int number = i;
            threads[i] = new Thread(() -> churn(number));
            threads[i].start();
        }
        for (Thread thread : threads) thread.join();
        return (long) THREADS * ROUNDS;
    }

    private static void waitForLine() throws java.io.IOException {
        while (System.in.read() != '\n') { }
    }

    public static void main(String[] args) throws Exception {
        if (Loader.BYTES.length == 0) throw new IllegalStateException("no class to define");
        System.out.println("ready");
        if (!args[0].equals("exit")) waitForLine();
        long objects = args[0].equals("unload") ? unload() : args[0].equals("full") ? full() : churn();
        System.out.println("done " + objects);
        if (!args[0].equals("exit")) waitForLine();
    }
}
