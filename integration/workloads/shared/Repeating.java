/** Daemon threads that repeat a step until the process ends or the step fails. Other workloads are compiled with it. */
public class Repeating {
    interface Step { void run() throws Exception; }

    /** Not started yet. */
    static Thread thread(String name, Step step) {
        Thread thread = new Thread(() -> {
            try {
                for (;;) step.run();
            } catch (Exception e) { throw new IllegalStateException(e); }
        }, name);
        thread.setDaemon(true);
        return thread;
    }

    static void start(String name, Step step) { thread(name, step).start(); }
}
