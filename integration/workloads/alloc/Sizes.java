import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/**
 * Objects of four sizes, a site each, alternately on one thread: 24 bytes, 1 KB, 40 KB and 1.6 MB, each site about as many bytes as
 * the others. Prints "ready" when all is compiled. After a line of input it allocates until each site has the bytes of the
 * argument, and prints "SITE BYTES OBJECTS", bytes by the JVM's own counter; the next line ends it.
 */
public class Sizes {
    private static final ThreadMXBean COUNTER = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int KEPT = 4;
    private static final int MIDDLE = 40_000, LARGE = 1_600_000;

    static class Tiny {
        int a, b, c;
    }

    private abstract static class Site {
        final String name;
        final int burst;
        final Object[] kept = new Object[KEPT];
        long bytes, objects;

        Site(String name, int size) {
            this.name = name;
            burst = LARGE / size;
        }

        abstract void allocate();

        void run() {
            long before = COUNTER.getThreadAllocatedBytes(Thread.currentThread().getId());
            allocate();
            bytes += COUNTER.getThreadAllocatedBytes(Thread.currentThread().getId()) - before;
            objects += burst;
        }
    }

    // A class of its own for each, so that the JIT inlines the one implementation and the site is one line.
    private static class TinySite extends Site {
        TinySite() { super("tiny", 24); }
        @Override void allocate() {
            for (int i = 0; i < burst; i++) kept[i % KEPT] = new Tiny();
        }
    }

    private static class SmallSite extends Site {
        SmallSite() { super("small", 1024); }
        @Override void allocate() {
            for (int i = 0; i < burst; i++) kept[i % KEPT] = new byte[1024];
        }
    }

    private static class MiddleSite extends Site {
        MiddleSite() { super("middle", MIDDLE); }
        @Override void allocate() {
            for (int i = 0; i < burst; i++) kept[i % KEPT] = new long[MIDDLE / Long.BYTES];
        }
    }

    private static class LargeSite extends Site {
        LargeSite() { super("large", LARGE); }
        @Override void allocate() {
            for (int i = 0; i < burst; i++) kept[i % KEPT] = new int[LARGE / Integer.BYTES];
        }
    }

    private static void run(Site[] sites, long bytes) {
        for (Site site : sites) site.bytes = site.objects = 0;
        while (sites[0].bytes < bytes) {
            for (Site site : sites) site.run();
        }
    }

    private static void waitForLine() throws java.io.IOException {
        while (System.in.read() != '\n') { }
    }

    public static void main(String[] args) throws Exception {
        Site[] sites = {new TinySite(), new SmallSite(), new MiddleSite(), new LargeSite()};
        run(sites, 100_000_000);
        System.out.println("ready");
        waitForLine();
        Thread thread = new Thread(() -> run(sites, Long.parseLong(args[0])), "sizes");
        thread.start();
        thread.join();
        for (Site site : sites) System.out.println(site.name + " " + site.bytes + " " + site.objects);
        waitForLine();
    }
}
