/** Virtual threads that park in a deep call and work after it: their callers are on the heap then. Arguments: threads, rounds. */
public class VirtualThreads {
    private static final int DEPTH = 10;
    private static volatile long sink;

    private static void work() {
        long sum = 1;
        for (int i = 0; i < 300_000; i++) sum = sum * 31 + i;
        sink = sum;
    }

    private static void even(int depth) throws InterruptedException {
        if (depth > 0) {
            odd(depth - 1);
        } else {
            Thread.sleep(1);
            work();
        }
    }

    private static void odd(int depth) throws InterruptedException {
        even(depth - 1);
    }

    private static void task(int rounds) {
        try {
            for (int i = 0; i < rounds; i++) even(DEPTH);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread[] threads = new Thread[Integer.parseInt(args[0])];
        int rounds = Integer.parseInt(args[1]);
        for (int i = 0; i < threads.length; i++) threads[i] = Thread.ofVirtual().name("worker-" + i).start(() -> task(rounds));
        for (Thread thread : threads) thread.join();
    }
}
