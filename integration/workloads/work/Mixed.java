import java.util.concurrent.locks.ReentrantLock;

/**
 * Two threads that compute, allocate, and contend for a monitor and a lock; main sleeps. Prints "ready", and ends after a
 * line of input.
 */
public class Mixed {
    private static final Object monitor = new Object();
    private static final ReentrantLock lock = new ReentrantLock();
    private static volatile boolean ends;
    private static volatile Object sink;
    private static volatile long sum;

    private static void burn(int milliseconds) {
        long end = System.nanoTime() + milliseconds * 1_000_000L;
        while (System.nanoTime() < end) {
            for (int i = 0; i < 1000; i++) sum += i * 31;
            sink = new byte[1000];
        }
    }

    private static void work() {
        while (!ends) {
            synchronized (monitor) {
                burn(2);
            }
            lock.lock();
            try {
                burn(2);
            } finally {
                lock.unlock();
            }
        }
    }

    public static void main(String[] args) throws Exception {
        Thread[] workers = {new Thread(Mixed::work, "worker-1"), new Thread(Mixed::work, "worker-2")};
        for (Thread worker : workers) worker.start();
        System.out.println("ready");
        System.in.read();
        ends = true;
        for (Thread worker : workers) worker.join();
    }
}
