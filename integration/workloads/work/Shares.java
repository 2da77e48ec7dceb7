import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Three busy methods on one thread, named "shares", with shares of 5 : 3 : 2 that the thread's own CPU clock confirms.
 * Prints "ready" when all is compiled, works after a line of input, prints "NAME NANOSECONDS" of each and of the thread, and
 * ends after the next line.
 */
public class Shares {
    private static final ThreadMXBean CLOCK = ManagementFactory.getThreadMXBean();
    private static final int ROUNDS = 5;
    private static final long UNIT_NS = 200_000_000;
    private static long sink;

    /**
     * Each busy method runs long compared with the time between two samples (4 ms and more where timers tick with the kernel): a
     * sample that began in the method before counts for the one it ended in.
     */
    private static long clocked(Runnable method, long units) {
        long began = CLOCK.getCurrentThreadCpuTime();
        long end = began + units * UNIT_NS;
        while (CLOCK.getCurrentThreadCpuTime() < end) method.run();
        return CLOCK.getCurrentThreadCpuTime() - began;
    }

    static void arithmetic() {
        long value = sink;
        for (int i = 1; i < 100_000; i++) value = value * 31 + value / i;
        sink = value;
    }

    static void maps() {
        Map<Integer, Integer> map = new HashMap<>();
        for (int i = 0; i < 3_000; i++) map.merge(i % 500, i, Integer::sum);
        sink += map.size();
    }

    static void strings() {
        List<String> parts = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) parts.add(Integer.toString(i * 31));
        sink += String.join(",", parts).hashCode();
    }

    // A frame of its own for each, so that the clock readings around the work count as its method's too.
    static long runArithmetic() { return clocked(Shares::arithmetic, 5); }
    static long runMaps() { return clocked(Shares::maps, 3); }
    static long runStrings() { return clocked(Shares::strings, 2); }

    private static void work() {
        runArithmetic(); runMaps(); runStrings();
        System.out.println("ready");
        waitForLine();
        long began = CLOCK.getCurrentThreadCpuTime();
        long arithmetic = 0, maps = 0, strings = 0;
        for (int i = 0; i < ROUNDS; i++) {
            arithmetic += runArithmetic();
            maps += runMaps();
            strings += runStrings();
        }
        report("runArithmetic", arithmetic);
        report("runMaps", maps);
        report("runStrings", strings);
        report("thread", CLOCK.getCurrentThreadCpuTime() - began);
        waitForLine();
    }

    private static void report(String name, long ns) {
        System.out.println(name + " " + ns);
    }

    private static void waitForLine() {
        try {
            while (System.in.read() != '\n') { }
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread thread = new Thread(Shares::work, "shares");
        thread.start();
        thread.join();
    }
}
