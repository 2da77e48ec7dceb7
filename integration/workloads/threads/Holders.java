import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Threads that wait for a monitor, for a ReentrantLock, and for a ReentrantLock whose owner waits for the monitor; and two threads that wait for
 * each other. Prints "ready"; for each line of input but "end", the milliseconds that each kind has waited so far, without waits in progress.
 */
public class Holders {
    static class Store {}

    static final Store store = new Store();
    static final ReentrantLock lock = new ReentrantLock(), outer = new ReentrantLock();
    static final Store one = new Store(), other = new Store();
    static final AtomicLong byMonitor = new AtomicLong(), byLock = new AtomicLong(), byOuter = new AtomicLong();
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
        synchronized (store) { updateStore(); }
        LockSupport.parkNanos(5_000_000);
    }

    static void holdLock() {
        lock.lock();
        try { updateLocked(); } finally { lock.unlock(); }
        LockSupport.parkNanos(5_000_000);
    }

    static void enterStore() {
        long began = System.nanoTime();
        synchronized (store) { byMonitor.addAndGet(System.nanoTime() - began); }
    }

    static void readStore() {
        enterStore();
        LockSupport.parkNanos(1_000_000);
    }

    static void readLocked() {
        long began = System.nanoTime();
        lock.lock();
        byLock.addAndGet(System.nanoTime() - began);
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
        long began = System.nanoTime();
        outer.lock();
        byOuter.addAndGet(System.nanoTime() - began);
        outer.unlock();
        LockSupport.parkNanos(1_000_000);
    }

    static void takeBoth(Store first, Store second) {
        synchronized (first) {
            LockSupport.parkNanos(200_000_000);
            synchronized (second) { sum++; }
        }
    }

    static void start(String name, Runnable body) {
        Thread thread = new Thread(() -> { for (;;) body.run(); }, name);
        thread.setDaemon(true);
        thread.start();
    }

    public static void main(String[] arguments) throws Exception {
        start("holder", Holders::holdMonitor);
        start("lock-holder", Holders::holdLock);
        for (int i = 0; i < 3; i++) {
            start("reader-" + i, Holders::readStore);
            start("lock-reader-" + i, Holders::readLocked);
        }
        start("both-reader", Holders::readBoth);
        start("outer-reader", Holders::readOuter);
        start("left", () -> takeBoth(one, other));
        start("right", () -> takeBoth(other, one));
        Thread.sleep(500);
        System.out.println("ready");
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
        while (!"end".equals(input.readLine()))
            System.out.println("waited " + byMonitor.get() / 1_000_000 + " " + byLock.get() / 1_000_000 + " " + byOuter.get() / 1_000_000);
    }
}
