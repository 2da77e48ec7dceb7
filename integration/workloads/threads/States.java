import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.Selector;
import java.util.concurrent.locks.LockSupport;

/**
 * Threads that stay in one state each and are named after it: "monitor", "waiting 1", "socket accept" and so on; main is
 * in file. Those named "busy" want a CPU all the time; "stopped" does too, while "collector" makes safepoints. Prints
 * "ready" when all are where they should be; the end of standard input is the end of the program.
 */
public class States {
    private static final long FOREVER_MS = 3_600_000;
    private static final int KEPT = 1_500_000;
    private static final Object HELD = new Object();
    private static final Object NEVER_NOTIFIED = new Object();
    private static volatile long sink;

    interface Work {
        void run() throws Exception;
    }

    private static void start(String name, Work work) {
        Thread thread = new Thread(() -> {
            try {
                work.run();
            } catch (Exception e) {
                System.out.println(Thread.currentThread().getName() + ": " + e);
            }
        }, name);
        thread.setDaemon(true);
        thread.start();
    }

    static void burn() {
        for (long value = 1; ; sink = value) {
            for (int i = 1; i < 10_000; i++) value = value * 31 + value / i;
        }
    }

    private static void enterHeld() {
        synchronized (HELD) {
            sink++;
        }
    }

    private static void awaitNotice(long ms) throws InterruptedException {
        synchronized (NEVER_NOTIFIED) {
            NEVER_NOTIFIED.wait(ms);
        }
    }

    /** Full collections of many small objects: nearly all the time is spent at safepoints. */
    private static void collect() {
        Object[] kept = new Object[KEPT];
        for (int i = 0; i < KEPT; i++) kept[i] = new int[4];
        for (; kept.length == KEPT; sink++) System.gc();
    }

    private static void startBlocked() throws Exception {
        start("parked 1", LockSupport::park);
        start("parked 2", () -> LockSupport.parkNanos(FOREVER_MS * 1_000_000));
        start("sleeping", () -> Thread.sleep(FOREVER_MS));
        start("waiting 1", () -> awaitNotice(0));
        start("waiting 2", () -> awaitNotice(FOREVER_MS));
        start("monitor", States::enterHeld);
        ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Socket client = new Socket(server.getInetAddress(), server.getLocalPort());
        server.accept();
        start("socket accept", server::accept);
        start("socket read", () -> client.getInputStream().read());
        Selector selector = Selector.open();
        start("socket select 1", selector::select);
        Selector timed = Selector.open();
        start("socket select 2", () -> timed.select(FOREVER_MS));
        Process process = new ProcessBuilder("sleep", "3600").start();
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroy));
        start("file pipe", () -> process.getInputStream().read());
    }

    /** In the JVM's own words; it calls a thread in a system call runnable, so those have a moment more. */
    private static void awaitBlocked() throws InterruptedException {
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            String name = thread.getName();
            boolean blocks = name.startsWith("parked") || name.startsWith("waiting") || name.equals("sleeping") || name.equals("monitor");
            while (blocks && thread.getState() == Thread.State.RUNNABLE) Thread.sleep(1);
        }
        Thread.sleep(500);
    }

    public static void main(String[] args) throws Exception {
        boolean collects = args.length > 0 && args[0].equals("collect");
        synchronized (HELD) {
            if (collects) {
                start("stopped", States::burn);
                start("collector", States::collect);
            } else {
                startBlocked();
                start("busy 1", States::burn);
                start("busy 2", States::burn);
            }
            awaitBlocked();
            System.out.println("ready");
            System.in.read();
        }
    }
}
