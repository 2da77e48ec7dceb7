import com.sun.management.ThreadMXBean;
import hearth.Labels;
import java.lang.management.ManagementFactory;

/**
 * The cost of labels: prints "ready", and for each line prints "NAME PICOSECONDS" for setting and resetting them in several ways,
 * without the time of an empty loop of the same calls, and "bytes" allocated by all of them; an empty line ends it.
 */
public class LabelCost {
    private static final ThreadMXBean COUNTER = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int TIMES = 5_000_000, ROUNDS = 5;
    private static final Labels KNOWN = Labels.of("endpoint", "/reports/{id}"), TENANT = Labels.of("tenant", "x");
    // As requests come: not each time the same, which a compiler would see.
    private static final String[] ROUTES = {"/reports/{id}", "/export", "/login", "/search"};
    private static long runs;

    private interface Way {
        void set(int i);
    }

    private static final Runnable WORK = () -> runs++;

    private static long picoseconds(Way way) {
        long best = Long.MAX_VALUE;
        for (int round = 0; round < ROUNDS; round++) {
            long began = COUNTER.getCurrentThreadCpuTime();
            for (int i = 0; i < TIMES; i++) way.set(i);
            best = Math.min(best, COUNTER.getCurrentThreadCpuTime() - began);
        }
        return best * 1000 / TIMES;
    }

    private static void measure() {
        long before = COUNTER.getThreadAllocatedBytes(Thread.currentThread().getId());
        long empty = picoseconds(i -> WORK.run());
        long run = picoseconds(i -> Labels.of("endpoint", ROUTES[i & 3]).run(WORK)) - empty;
        long open = picoseconds(i -> {
            try (Labels.Scope scope = KNOWN.open()) {
                WORK.run();
            }
        }) - empty;
        Labels.Scope outer = KNOWN.open();
        long nested = picoseconds(i -> TENANT.run(WORK)) - empty;
        outer.close();
        long bytes = COUNTER.getThreadAllocatedBytes(Thread.currentThread().getId()) - before;
        System.out.println("of-and-run " + run);
        System.out.println("open-and-close " + open);
        System.out.println("nested " + nested);
        System.out.println("bytes " + bytes);
    }

    public static void main(String[] args) throws Exception {
        measure();
        System.out.println("ready");
        java.io.BufferedReader lines = new java.io.BufferedReader(new java.io.InputStreamReader(System.in));
        while (!"".equals(lines.readLine())) measure();
    }
}
