import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Works in named parts, and knows by the JVM's own clock of the threads how long. */
public class Parts {
    private static final ThreadMXBean CLOCK = ManagementFactory.getThreadMXBean();
    private static final Map<String, Long> used = new ConcurrentHashMap<>();
    private static volatile long sink;

    static void work(String part) {
        long began = CLOCK.getCurrentThreadCpuTime(), now;
        do {
            long value = sink;
            for (int i = 1; i < 10_000; i++) value = value * 31 + value / i;
            sink = value;
            now = CLOCK.getCurrentThreadCpuTime();
        } while (now < began + 20_000_000);
        used.merge(part, now - began, Long::sum);
    }

    /** Says where the server listens; each line is answered by "PART CPU-NANOSECONDS" of all and "done", an empty one ends. */
    static void serve(int port) throws Exception {
        System.out.println("ready " + port);
        java.io.BufferedReader lines = new java.io.BufferedReader(new java.io.InputStreamReader(System.in));
        for (String line = lines.readLine(); line != null && !line.isEmpty(); line = lines.readLine()) {
            used.forEach((part, ns) -> System.out.println(part + " " + ns));
            System.out.println("done");
        }
    }
}
