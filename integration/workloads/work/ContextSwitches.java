import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;

/**
 * The thread "napper" takes naps of 100 microseconds (NAPS), each of which switches it out once, when it reads "work".
 * It prints "switches N": the context switches of this thread meanwhile, as the kernel counts them. Ends when it reads "end".
 */
public class ContextSwitches {
    private static final long NAP_NANOSECONDS = 100_000;

    /** Voluntary and other switches of the calling thread, by the kernel's own count. */
    private static long switches() throws Exception {
        return Files.readAllLines(Path.of("/proc/thread-self/status")).stream()
            .filter(line -> line.contains("voluntary_ctxt_switches"))
            .mapToLong(line -> Long.parseLong(line.substring(line.indexOf(':') + 1).trim())).sum();
    }

    /** Sleeps on after a wakeup before its time, as that by a signal may be. */
    private static void nap() {
        long end = System.nanoTime() + NAP_NANOSECONDS;
        for (long left = NAP_NANOSECONDS; left > 0; left = end - System.nanoTime()) LockSupport.parkNanos(left);
    }

    static void takeNaps(int naps) {
        for (int i = 0; i < naps; i++) nap();
    }

    private static void work(int naps) {
        try {
            switches();
            long before = switches();
            takeNaps(naps);
            System.out.println("switches " + (switches() - before));
        } catch (Exception error) {
            throw new IllegalStateException(error);
        }
    }

    public static void main(String[] arguments) throws Exception {
        int naps = Integer.parseInt(arguments[0]);
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
        System.out.println("ready");
        while (!"end".equals(input.readLine())) {
            Thread napper = new Thread(() -> work(naps), "napper");
            napper.start();
            napper.join();
        }
    }
}
