import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Threads that wait for a monitor, for a ReentrantLock, and for a ReentrantLock whose owner waits for the monitor; and two threads that wait for
 * each other. Prints "ready"; for each line of input but "end", the milliseconds that each kind has waited so far while the holder held what it waits
 * for: not while another one that waited has it, or is about to wake up. Holds in progress do not count.
 */
public class Holders {
    static class Store {}

    /** A thread that tells since when it waits; 0: it does not. */
    static class Waiter extends Thread {
        volatile long forMonitor, forLock, forOuter;

        Waiter(String name, Runnable body) {
            super(() -> { for (;;) body.run(); }, name);
            setDaemon(true);
        }

        static Waiter me() { return (Waiter) Thread.currentThread(); }
    }

    static final Store store = new Store();
    static final ReentrantLock lock = new ReentrantLock(), outer = new ReentrantLock();
    static final Store one = new Store(), other = new Store();
    static final AtomicLong byMonitor = new AtomicLong(), byLock = new AtomicLong(), byOuter = new AtomicLong();
    static final List<Waiter> waiters = new ArrayList<>();
    static Waiter both, outside;
    static volatile double sum;

    /** Half of its time is computed, half slept. */
    static void work(int milliseconds) {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(milliseconds);
        while (System.nanoTime() < end - TimeUnit.MILLISECONDS.toNanos(milliseconds / 2)) sum += Math.sqrt(sum + 1);
        LockSupport.parkNanos(Math.max(end - System.nanoTime(), 1));
    }

    static void updateStore() { work(20); }
    static void updateLocked() { work(30); }

    static void holdMonitor() {
        synchronized (store) {
            long began = System.nanoTime();
            updateStore();
            long now = System.nanoTime();
            for (Waiter one : waiters) add(byMonitor, one.forMonitor, began, now);
            if (both.forMonitor != 0) add(byOuter, outside.forOuter, Math.max(began, both.forMonitor), now);
        }
        LockSupport.parkNanos(5_000_000);
    }

    static void holdLock() {
        lock.lock();
        long began = System.nanoTime();
        try {
            updateLocked();
            long now = System.nanoTime();
            for (Waiter one : waiters) add(byLock, one.forLock, began, now);
        } finally { lock.unlock(); }
        LockSupport.parkNanos(5_000_000);
    }

    /** Adds the part of a wait that lies behind the begin of the hold. */
    static void add(AtomicLong sum, long since, long began, long now) {
        if (since != 0) sum.addAndGet(now - Math.max(since, began));
    }

    static void enterStore() {
        Waiter.me().forMonitor = System.nanoTime();
        synchronized (store) { Waiter.me().forMonitor = 0; }
    }

    static void readStore() {
        enterStore();
        LockSupport.parkNanos(1_000_000);
    }

    static void readLocked() {
        Waiter.me().forLock = System.nanoTime();
        lock.lock();
        Waiter.me().forLock = 0;
        lock.unlock();
        LockSupport.parkNanos(1_000_000);
    }

    /** Holds the outer lock as long as it waits for the monitor. */
    static void readBoth() {
        outer.lock();
        try { enterStore(); } finally { outer.unlock(); }
        LockSupport.parkNanos(1_000_000);
    }

    static void readOuter() {
        Waiter.me().forOuter = System.nanoTime();
        outer.lock();
        Waiter.me().forOuter = 0;
        outer.unlock();
        LockSupport.parkNanos(1_000_000);
    }

    static void takeBoth(Store first, Store second) {
        synchronized (first) {
            LockSupport.parkNanos(200_000_000);
            synchronized (second) { sum++; }
        }
    }

    static Waiter waiter(String name, Runnable body) {
        waiters.add(new Waiter(name, body));
        return waiters.get(waiters.size() - 1);
    }

    public static void main(String[] arguments) throws Exception {
        waiter("holder", Holders::holdMonitor);
        waiter("lock-holder", Holders::holdLock);
        for (int i = 0; i < 3; i++) {
            waiter("reader-" + i, Holders::readStore);
            waiter("lock-reader-" + i, Holders::readLocked);
        }
        both = waiter("both-reader", Holders::readBoth);
        outside = waiter("outer-reader", Holders::readOuter);
        waiter("left", () -> takeBoth(one, other));
        waiter("right", () -> takeBoth(other, one));
        for (Waiter one : waiters) one.start();
        Thread.sleep(500);
        System.out.println("ready");
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
        while (!"end".equals(input.readLine()))
            System.out.println("waited " + byMonitor.get() / 1_000_000 + " " + byLock.get() / 1_000_000 + " " + byOuter.get() / 1_000_000);
    }
}
