import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Works in named parts, and knows by the JVM's own account of the threads how long and how many bytes it took. */
public class Parts {
    private static final ThreadMXBean ACCOUNT = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final Map<String, Long> nanoseconds = new ConcurrentHashMap<>();
    private static final Map<String, Long> bytes = new ConcurrentHashMap<>();
    private static volatile long sink;
    private static volatile byte[] made;

    static void work(String part) {
        long before = allocated();
        long began = ACCOUNT.getCurrentThreadCpuTime(), now;
        do {
            long value = sink;
            for (int i = 1; i < 10_000; i++) value = value * 31 + value / i;
            sink = value;
            for (int i = 0; i < 100; i++) made = new byte[256 * part.length() + i];
            now = ACCOUNT.getCurrentThreadCpuTime();
        } while (now < began + 40_000_000);
        nanoseconds.merge(part, now - began, Long::sum);
        bytes.merge(part, allocated() - before, Long::sum);
    }

    @SuppressWarnings("deprecation") // threadId() came with JDK 19
    private static long allocated() {
        return ACCOUNT.getThreadAllocatedBytes(Thread.currentThread().getId());
    }

    /** Prints where the server listens; each line is answered by "PART CPU-NANOSECONDS BYTES" of all and "done", an empty one ends. */
    static void serve(int port) throws Exception {
        System.out.println("ready " + port);
        java.io.BufferedReader lines = new java.io.BufferedReader(new java.io.InputStreamReader(System.in));
        for (String line = lines.readLine(); line != null && !line.isEmpty(); line = lines.readLine()) {
            nanoseconds.forEach((part, ns) -> System.out.println(part + " " + ns + " " + bytes.get(part)));
            System.out.println("done");
        }
    }
}
