import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Virtual threads that wait in several ways and measure it. Arguments: threads of each way, shortest and longest wait in
 * milliseconds, and "nap" for that way alone. "tell" prints the milliseconds and the number of all waits so far, those under
 * way with their part, by name; "stick" lets as many threads more wait for ever.
 */
public class VirtualWaits {
    interface Step { void run() throws Exception; }

    /** Times of one way to wait. */
    static class Clock {
        private final LongAdder ended = new LongAdder(), begun = new LongAdder(), running = new LongAdder(), count = new LongAdder();

        void time(Step step) throws Exception {
            long begin = System.nanoTime();
            begun.add(begin);
            running.increment();
            step.run();
            ended.add(System.nanoTime() - begin);
            running.decrement();
            begun.add(-begin);
            count.increment();
        }

        /** A wait that begins or ends meanwhile is off by itself alone. */
        String told() {
            long now = System.nanoTime();
            return (ended.sum() + running.sum() * now - begun.sum()) / 1_000_000 + " " + (count.sum() + running.sum());
        }
    }

    private static final LinkedBlockingQueue<Integer> ITEMS = new LinkedBlockingQueue<>();
    private static final ReentrantLock LOCK = new ReentrantLock();
    private static final CountDownLatch NEVER = new CountDownLatch(1);
    private static final Map<String, Clock> CLOCKS = new TreeMap<>();
    private static int shortest, longest;

    static long pause() { return ThreadLocalRandom.current().nextInt(shortest, longest + 1); }

    static void nap(Clock clock) throws Exception {
        clock.time(() -> Thread.sleep(pause()));
    }

    static void takeItem(Clock clock) throws Exception {
        clock.time(ITEMS::take);
    }

    static void putItem(Clock clock) throws Exception {
        clock.time(() -> Thread.sleep(pause()));
        ITEMS.put(1);
    }

    static void lockAndWork(Clock clock) throws Exception {
        clock.time(LOCK::lock);
        try { Thread.sleep(pause()); } finally { LOCK.unlock(); }
    }

    static void awaitNotice(Clock clock) throws Exception {
        Object notice = new Object();
        synchronized (notice) {
            clock.time(() -> notice.wait(pause()));
        }
    }

    static void stickForEver(Clock clock) throws Exception {
        clock.time(NEVER::await);
    }

    static void readByte(Clock clock, Socket from) throws Exception {
        clock.time(() -> from.getInputStream().read());
    }

    interface Way { void run(Clock clock) throws Exception; }

    static void start(String name, int many, Way way) {
        Clock clock = CLOCKS.computeIfAbsent(name, ignored -> new Clock());
        for (int i = 0; i < many; i++) {
            Thread.ofVirtual().name(name + "-" + i).start(() -> {
                try {
                    for (;;) way.run(clock);
                } catch (Exception e) { throw new IllegalStateException(e); }
            });
        }
    }

    /** Threads that read what a platform thread sends, byte by byte. */
    static void startReaders(int many) throws Exception {
        ServerSocket server = new ServerSocket(0, many, InetAddress.getLoopbackAddress());
        for (int i = 0; i < many; i++) {
            Socket near = new Socket(server.getInetAddress(), server.getLocalPort()), far = server.accept();
            near.setTcpNoDelay(true);
            Repeating.start("sender", () -> {
                Thread.sleep(pause());
                near.getOutputStream().write(1);
            });
            start("readByte", 1, clock -> readByte(clock, far));
        }
    }

    public static void main(String[] args) throws Exception {
        int threads = Integer.parseInt(args[0]);
        shortest = Integer.parseInt(args[1]);
        longest = Integer.parseInt(args[2]);
        boolean isAll = args.length < 4;
        start("nap", threads, VirtualWaits::nap);
        if (isAll) {
            start("takeItem", threads, VirtualWaits::takeItem);
            start("putItem", threads, VirtualWaits::putItem);
            start("lockAndWork", 4, VirtualWaits::lockAndWork);
            start("awaitNotice", 4, VirtualWaits::awaitNotice);
            startReaders(4);
        }
        CLOCKS.put("stickForEver", new Clock());
        System.out.println("ready");
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        for (String line; (line = in.readLine()) != null && !line.equals("end");) {
            if (line.equals("stick")) start("stickForEver", threads, VirtualWaits::stickForEver);
            if (!line.equals("tell")) continue;
            StringBuilder all = new StringBuilder("waited");
            CLOCKS.forEach((name, clock) -> all.append(' ').append(name).append(' ').append(clock.told()));
            System.out.println(all);
        }
    }
}
