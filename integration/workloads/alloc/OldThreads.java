import java.util.concurrent.CyclicBarrier;

/**
 * Threads with a past: a hundred allocate 5 MB of arrays each, again and again, each time a line comes on standard input;
 * then the bytes of all are printed, as the JVM counts them. With an argument the threads begin at the first such line.
 * Ends with the input.
 */
public class OldThreads {
    private static final int THREADS = 100;
    private static final int ARRAYS = 5_000;
    private static final CyclicBarrier round = new CyclicBarrier(THREADS + 1);

    private static void work() {
        try {
            while (true) {
                round.await();
                Object[] kept = new Object[16];
                for (int i = 0; i < ARRAYS; i++) kept[i & 15] = new byte[1_000];
                round.await();
            }
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    public static void main(String[] args) throws Exception {
        com.sun.management.ThreadMXBean counter =
            (com.sun.management.ThreadMXBean) java.lang.management.ManagementFactory.getThreadMXBean();
        java.io.BufferedReader lines = new java.io.BufferedReader(new java.io.InputStreamReader(System.in));
        if (args.length > 0) {
            System.out.println("waits");
            lines.readLine();
        }
        long[] ids = new long[THREADS];
        for (int i = 0; i < THREADS; i++) {
            Thread thread = new Thread(OldThreads::work, "old-" + i);
            thread.setDaemon(true);
            thread.start();
            ids[i] = thread.getId();
        }
        System.out.println("ready");
        while (lines.readLine() != null) {
            long before = sum(counter.getThreadAllocatedBytes(ids));
            round.await();
            round.await();
            System.out.println("bytes " + (sum(counter.getThreadAllocatedBytes(ids)) - before));
        }
    }

    private static long sum(long[] values) {
        long sum = 0;
        for (long value : values) sum += value;
        return sum;
    }
}
