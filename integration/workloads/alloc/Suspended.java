/**
 * Threads that allocate all the time, suspended and resumed again and again as a debugger does it (args: the library
 * that can, then "stop" or "exit"). Prints "ready", works after a line of input, prints "suspended" and leaves them so until
 * the next line. Then "stop": resumes them, prints "resumed", ends after a line; "exit": ends while they are suspended.
 */
public class Suspended {
    static final int THREADS = 8, ROUNDS = 300, OBJECTS = 2_000;

    static class Link {
        final Link before;
        Link(Link before) { this.before = before; }
    }

    private static volatile Link kept;
    private static volatile boolean ends;

    private static Link chain(int objects) {
        Link last = null;
        for (int i = 0; i < objects; i++) last = new Link(last);
        return last;
    }

    private static void work() {
        while (!ends) kept = chain(OBJECTS);
    }

    private static void suspendAll(Thread[] threads) {
        for (Thread thread : threads) Suspender.expectDone(Suspender.suspend(thread));
    }

    private static void resumeAll(Thread[] threads) {
        for (Thread thread : threads) Suspender.expectDone(Suspender.resume(thread));
    }

    private static void waitForLine() throws java.io.IOException {
        while (System.in.read() != '\n') { }
    }

    public static void main(String[] args) throws Exception {
        System.load(args[0]);
        Thread[] threads = new Thread[THREADS];
        for (int i = 0; i < THREADS; i++) {
            threads[i] = new Thread(Suspended::work);
            threads[i].setDaemon(true);
            threads[i].start();
        }
        kept = chain(OBJECTS);
        System.out.println("ready");
        waitForLine();
        for (int i = 0; i < ROUNDS; i++) {
            suspendAll(threads);
            kept = chain(OBJECTS);  // must not wait for any of them
            resumeAll(threads);
            Thread.yield();
        }
        suspendAll(threads);
        System.out.println("suspended");
        waitForLine();
        if (args[1].equals("exit")) return;
        resumeAll(threads);
        System.out.println("resumed");
        waitForLine();
        ends = true;
        for (Thread thread : threads) thread.join();
    }
}
