import java.util.concurrent.locks.ReentrantLock;

/**
 * A thread waits for a lock as lines of input demand: "wait" begins a wait and prints "waiting"
 * once it is parked, "go on" ends it and prints "went on". "take LIBRARY" binds Unsafe.park to the one of park_taker.c and
 * prints "taken". Ends on "end".
 */
public class Parked {
    private static final ReentrantLock lock = new ReentrantLock();

    static native int takePark(Class<?> unsafe);

    private static void waitForLock() {
        lock.lock();
        lock.unlock();
    }

    private static void take(String library) throws Exception {
        System.load(library);
        Class<?> unsafe = Class.forName("jdk.internal.misc.Unsafe");
        if (takePark(unsafe) != 0) throw new IllegalStateException("park was not bound");
        System.out.println("taken");
    }

    public static void main(String[] args) throws Exception {
        Thread waiter = null;
        System.out.println("ready");
        try (java.util.Scanner told = new java.util.Scanner(System.in)) {
            for (String line = told.nextLine(); !line.equals("end"); line = told.nextLine()) {
                if (line.equals("wait")) {
                    lock.lock();
                    waiter = new Thread(Parked::waitForLock);
                    waiter.start();
                    while (!lock.hasQueuedThread(waiter) || waiter.getState() != Thread.State.WAITING) Thread.sleep(1);
                    System.out.println("waiting");
                } else if (line.equals("go on")) {
                    lock.unlock();
                    waiter.join();
                    System.out.println("went on");
                } else {
                    take(line.substring("take ".length()));
                }
            }
        }
    }
}
