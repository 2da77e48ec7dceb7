/**
 * Two busy threads, of which one keeps the JVM waiting: "late" works in counted loops, which serial and parallel
 * collectors compile without a safepoint poll, "prompt" in short ones. The main thread has the JVM stop them again and
 * again: for a collection, or with the argument "dump" for the stacks of all threads. Prints "ready" and ends when a line
 * comes on standard input; then "done".
 */
public class Safepoints {
    private static volatile boolean asked;
    private static volatile long sink;

    private static long loop(long value, int times) {
        for (int n = 1; n < times; n++) value = value * 31 + value / n;
        return value;
    }

    static void late() { sink = loop(sink, 5_000_000); }

    static void prompt() { sink = loop(sink, 500); }

    private static Thread start(String name, Runnable work) {
        Thread thread = new Thread(() -> {
            while (!asked) work.run();
        }, name);
        thread.start();
        return thread;
    }

    public static void main(String[] args) throws Exception {
        Thread[] threads = {start("late", Safepoints::late), start("prompt", Safepoints::prompt)};
        Thread reader = new Thread(() -> {
            try {
                System.in.read();
            } catch (java.io.IOException e) {
                throw new java.io.UncheckedIOException(e);
            }
            asked = true;
        });
        reader.setDaemon(true);
        reader.start();
        System.out.println("ready");
        while (!asked) {
            if (args.length == 0) System.gc();
            else Thread.getAllStackTraces();
            Thread.sleep(20);
        }
        for (Thread thread : threads) thread.join();
        System.out.println("done");
    }
}
