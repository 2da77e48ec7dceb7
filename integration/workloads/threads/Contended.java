import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Two threads each contend for a monitor, a lock and a semaphore, held for 2 ms each time; another waits for a queue
 * that stays empty, which is no contention. The lock is fair, so that each wait for it is one park. Prints "ready"; after
 * a line of input it works until threads waited a thousand times for each, and prints how long: "monitor NANOSECONDS
 * WAITS" and so on, then "done". The next line ends it. The argument "virtual" makes virtual threads contend.
 */
public class Contended {
    private static final long SURELY_CONTENDED_NS = 50_000;
    private static final Object monitor = new Object();
    private static final ReentrantLock lock = new ReentrantLock(true);
    private static final Semaphore semaphore = new Semaphore(1, true);
    private static final LinkedBlockingQueue<Object> queue = new LinkedBlockingQueue<>();
    private static class Waits {
        final AtomicLong time = new AtomicLong(), count = new AtomicLong();
        void add(long began) {
            long waited = System.nanoTime() - began;
            if (waited < SURELY_CONTENDED_NS) return;
            time.addAndGet(waited);
            count.incrementAndGet();
        }
        boolean suffice() { return count.get() >= 1000; }
        void say(String name) { System.out.println(name + " " + time + " " + count); }
    }
    private static final Waits monitors = new Waits(), locks = new Waits(), semaphores = new Waits();

    private static void hold() { LockSupport.parkNanos(2_000_000); }

    private static void holdMonitor() {
        long began = System.nanoTime();
        synchronized (monitor) {
            monitors.add(began);
            hold();
        }
        // A monitor is not fair: the other thread is to have it before this one asks again.
        LockSupport.parkNanos(500_000);
    }

    private static void holdLock() {
        long began = System.nanoTime();
        lock.lock();
        try {
            locks.add(began);
            hold();
        } finally {
            lock.unlock();
        }
    }

    private static void holdSemaphore() {
        long began = System.nanoTime();
        semaphore.acquireUninterruptibly();
        try {
            semaphores.add(began);
            hold();
        } finally {
            semaphore.release();
        }
    }

    private static void waitForWork() {
        try {
            queue.poll(5, TimeUnit.MILLISECONDS);
        } catch (InterruptedException end) {
            throw new IllegalStateException(end);
        }
    }

    private static boolean isEnough() { return monitors.suffice() && locks.suffice() && semaphores.suffice(); }

    private static Thread start(Runnable work, boolean isVirtual) throws Exception {
        Runnable loop = () -> { while (!isEnough()) work.run(); };
        if (isVirtual) return (Thread) Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, loop);
        Thread thread = new Thread(loop);
        thread.start();
        return thread;
    }

    private static void waitForLine() throws java.io.IOException {
        while (System.in.read() != '\n') { }
    }

    public static void main(String[] args) throws Exception {
        boolean isVirtual = args.length > 0 && args[0].equals("virtual");
        System.out.println("ready");
        waitForLine();
        Runnable[] works = {Contended::holdMonitor, Contended::holdMonitor, Contended::holdLock, Contended::holdLock,
                            Contended::holdSemaphore, Contended::holdSemaphore, Contended::waitForWork};
        Thread[] threads = new Thread[works.length];
        for (int i = 0; i < threads.length; i++) threads[i] = start(works[i], isVirtual);
        for (Thread thread : threads) thread.join();
        monitors.say("monitor");
        locks.say("lock");
        semaphores.say("semaphore");
        System.out.println("done");
        waitForLine();
    }
}
