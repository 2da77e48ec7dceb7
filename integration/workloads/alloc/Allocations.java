import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/**
 * Four sites that allocate: small objects, arrays of 1 KB, arrays that no TLAB takes, boxed longs. "apart": on a thread
 * each, "mixed": alternately on one. Prints "ready" when all is compiled. A line of input makes it allocate about as many bytes as
 * the second argument at each site and print "SITE BYTES OBJECTS", bytes by the JVM's own counter; the next one ends it.
 */
public class Allocations {
    private static final ThreadMXBean COUNTER = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int KEPT = 16;

    static class Small {
        int a, b, c;
    }

    private abstract static class Site {
        final String name;
        final int burst;
        final Object[] kept = new Object[KEPT];
        long bytes, objects;

        Site(String name, int burst) {
            this.name = name;
            this.burst = burst;
        }

        abstract void allocate();

        void run() {
            long before = allocatedBytes();
            allocate();
            bytes += allocatedBytes() - before;
            objects += burst;
        }
    }

    // A class of its own for each, so that the JIT inlines the one implementation and the site is one line.
    private static class SmallSite extends Site {
        SmallSite() { super("small", 50_000); }
        @Override void allocate() {
            for (int i = 0; i < burst; i++) kept[i % KEPT] = new Small();
        }
    }

    private static class ArraySite extends Site {
        ArraySite() { super("array", 1_000); }
        @Override void allocate() {
            for (int i = 0; i < burst; i++) kept[i % KEPT] = new byte[1024];
        }
    }

    private static class LargeSite extends Site {
        LargeSite() { super("large", 1); }
        @Override void allocate() {
            for (int i = 0; i < burst; i++) kept[i % KEPT] = new int[400_000];
        }
    }

    private static class BoxedSite extends Site {
        BoxedSite() { super("boxed", 50_000); }
        @Override void allocate() {
            for (int i = 0; i < burst; i++) kept[i % KEPT] = Long.valueOf(1_000_000L + i);
        }
    }

    private static long allocatedBytes() {
        return COUNTER.getThreadAllocatedBytes(Thread.currentThread().getId());
    }

    private static void run(Site[] sites, long bytes) {
        for (boolean more = true; more;) {
            more = false;
            for (Site site : sites) {
                if (site.bytes >= bytes) continue;
                site.run();
                more = true;
            }
        }
    }

    /** Each site's bytes at a time, on one thread for all or on one each. */
    private static void runAll(Site[] sites, boolean apart, long bytes) throws InterruptedException {
        for (Site site : sites) site.bytes = site.objects = 0;
        Thread[] threads = new Thread[apart ? sites.length : 1];
        for (int i = 0; i < threads.length; i++) {
            Site[] own = apart ? new Site[] {sites[i]} : sites;
            threads[i] = new Thread(() -> run(own, bytes), apart ? sites[i].name : "mixed");
            threads[i].start();
        }
        for (Thread thread : threads) thread.join();
    }

    private static void waitForLine() throws java.io.IOException {
        while (System.in.read() != '\n') { }
    }

    public static void main(String[] args) throws Exception {
        boolean apart = args[0].equals("apart");
        Site[] sites = {new SmallSite(), new ArraySite(), new LargeSite(), new BoxedSite()};
        runAll(sites, apart, 200_000_000);
        System.out.println("ready");
        waitForLine();
        runAll(sites, apart, Long.parseLong(args[1]));
        for (Site site : sites) System.out.println(site.name + " " + site.bytes + " " + site.objects);
        waitForLine();
    }
}
