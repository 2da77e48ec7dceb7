import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.List;

/**
 * Executes commands, line by line, on a thread named "phases", and prints "done" with that thread's CPU nanoseconds so far:
 * "red MS" and "green MS" use so much CPU time, each in the method of its name, and allocate; "classes N" loads and drops a
 * class so often; "deadlock" makes two threads wait for each other; "exhaust" asks for more memory than there is.
 */
public class Phases {
    private static final ThreadMXBean CLOCK = ManagementFactory.getThreadMXBean();
    private static volatile long sink;
    private static volatile byte[] garbage;

    public static void main(String[] args) throws Exception {
        Thread.currentThread().setName("phases");
        System.out.println("ready");
        byte[] line = new byte[200];
        for (int length; (length = System.in.read(line)) > 0; ) {
            for (String command : new String(line, 0, length).trim().split("\n")) {
                if (command.equals("end")) return;
                run(command.split(" "));
                System.out.println("done " + CLOCK.getCurrentThreadCpuTime());
            }
        }
    }

    private static void run(String[] command) throws Exception {
        long number = command.length > 1 ? Long.parseLong(command[1]) : 0;
        switch (command[0]) {
            case "red": red(number * 1_000_000); break;
            case "green": green(number * 1_000_000); break;
            case "classes": loadAndDrop(number); break;
            case "deadlock": deadlock(); break;
            case "exhaust": exhaust(); break;
            default: throw new IllegalArgumentException(command[0]);
        }
    }

    private static void red(long nanoseconds) {
        long end = CLOCK.getCurrentThreadCpuTime() + nanoseconds;
        while (CLOCK.getCurrentThreadCpuTime() < end) work();
    }

    private static void green(long nanoseconds) {
        long end = CLOCK.getCurrentThreadCpuTime() + nanoseconds;
        while (CLOCK.getCurrentThreadCpuTime() < end) work();
    }

    private static void work() {
        long value = sink;
        for (int i = 0; i < 200_000; i++) value = value * 31 + i;
        sink = value;
        garbage = new byte[16_000];
    }

    /** A class that is loaded and unloaded with its loader. */
    public static class Passing implements Runnable {
        @Override
        public void run() {
            work();
        }
    }

    private static void loadAndDrop(long times) throws Exception {
        URL here = Phases.class.getProtectionDomain().getCodeSource().getLocation();
        for (long i = 0; i < times; i++) {
            try (URLClassLoader loader = new URLClassLoader(new URL[] {here}, null)) {
                ((Runnable) loader.loadClass("Phases$Passing").getDeclaredConstructor().newInstance()).run();
            }
        }
    }

    private static void deadlock() {
        Object[] locks = {new Object(), new Object()};
        java.util.concurrent.CountDownLatch both = new java.util.concurrent.CountDownLatch(2);
        for (int i = 0; i < 2; i++) {
            Object first = locks[i], second = locks[1 - i];
            Thread thread = new Thread(() -> {
                synchronized (first) {
                    both.countDown();
                    try {
                        both.await();
                    } catch (InterruptedException end) {
                        return;
                    }
                    synchronized (second) {
                        sink++;
                    }
                }
            }, "stuck-" + i);
            thread.setDaemon(true);
            thread.start();
        }
    }

    private static void exhaust() {
        List<byte[]> all = new ArrayList<>();
        try {
            for (;;) all.add(new byte[8 << 20]);
        } catch (OutOfMemoryError expected) {
            all.clear();
        }
    }
}
