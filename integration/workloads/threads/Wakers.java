import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Pairs of threads, one of which waits in a way of java.util.concurrent until the other wakes it; as many more as the argument tells, which wait at
 * latches for ten times as long; and a thread that only naps. Prints "ready"; for each
 * line of input but "end", for each pair in the order of main() the milliseconds that it has waited so far, up to the wake, and the number of waits.
 */
public class Wakers {
    static class Pair {
        final Thread waiter, waker;
        volatile boolean waits;
        volatile long woken;
        long waitedNs, count;

        /** `slower`: so many times as long as 1 to 40 ms. */
        Pair(String name, int slower, Repeating.Step await, Repeating.Step wake) {
            waiter = Repeating.thread(name + "-waiter", () -> {
                long began = System.nanoTime();
                waits = true;
                await.run();
                synchronized (this) {
                    waitedNs += woken - began;
                    count++;
                }
            });
            waker = Repeating.thread(name + "-waker", () -> {
                while (!waits || waiter.getState() != Thread.State.WAITING) LockSupport.parkNanos(slower * 100_000L);
                LockSupport.parkNanos(slower * ThreadLocalRandom.current().nextLong(1_000_000, 40_000_000));
                waits = false;
                woken = System.nanoTime();
                wake.run();
            });
        }

        synchronized String sums() { return " " + waitedNs / 1_000_000 + " " + count; }
    }

    static final ReentrantLock lock = new ReentrantLock();
    static final Condition changed = lock.newCondition();
    static final LinkedBlockingQueue<String> queue = new LinkedBlockingQueue<>();
    static final Semaphore permits = new Semaphore(0);
    static volatile CountDownLatch latch = new CountDownLatch(1);
    static volatile CompletableFuture<String> future = new CompletableFuture<>();
    static boolean isChanged;

    static void awaitLatch() throws Exception {
        latch.await();
        latch = new CountDownLatch(1);
    }
    static void openLatch() { latch.countDown(); }

    static void takeItem() throws Exception { queue.take(); }
    static void putItem() throws Exception { queue.put("item"); }

    static void awaitChange() throws Exception {
        lock.lock();
        try {
            while (!isChanged) changed.await();
            isChanged = false;
        } finally { lock.unlock(); }
    }
    static void change() {
        lock.lock();
        try {
            isChanged = true;
            changed.signal();
        } finally { lock.unlock(); }
    }

    static void join() throws Exception {
        future.get();
        future = new CompletableFuture<>();
    }
    static void complete() { future.complete("done"); }

    static void acquire() throws Exception { permits.acquire(); }
    static void release() { permits.release(); }

    /** A latch that is closed again after each wait. */
    static class Gate {
        volatile CountDownLatch latch = new CountDownLatch(1);

        void pass() throws InterruptedException {
            latch.await();
            latch = new CountDownLatch(1);
        }
        void open() { latch.countDown(); }
    }

    static void nap() { LockSupport.parkNanos(15_000_000); }

    public static void main(String[] arguments) throws Exception {
        List<Pair> pairs = new ArrayList<>();
        pairs.add(new Pair("latch", 1, Wakers::awaitLatch, Wakers::openLatch));
        pairs.add(new Pair("queue", 1, Wakers::takeItem, Wakers::putItem));
        pairs.add(new Pair("condition", 1, Wakers::awaitChange, Wakers::change));
        pairs.add(new Pair("future", 1, Wakers::join, Wakers::complete));
        pairs.add(new Pair("semaphore", 1, Wakers::acquire, Wakers::release));
        int gates = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 0;
        for (int i = 0; i < gates; i++) {
            Gate gate = new Gate();
            pairs.add(new Pair("gate-" + i, 10, gate::pass, gate::open));
        }
        for (Pair pair : pairs) {
            pair.waiter.start();
            pair.waker.start();
        }
        Repeating.start("napper", Wakers::nap);
        Thread.sleep(500);
        System.out.println("ready");
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
        while (!"end".equals(input.readLine())) {
            StringBuilder line = new StringBuilder("waited");
            for (Pair pair : pairs) line.append(pair.sums());
            System.out.println(line);
        }
    }
}
