import java.util.concurrent.atomic.AtomicLong;
import sun.misc.Signal;

/** The application's own signal: SIGHUP, which it sends itself and others send it. (JDK 8 gives SIGUSR1 and SIGUSR2 to nobody.) */
final class Signals {
    private static final AtomicLong SEEN = new AtomicLong();
    private static final Signal OURS = new Signal("HUP");

    static void listen() {
        Signal.handle(OURS, signal -> SEEN.incrementAndGet());
        Thread sender = new Thread(() -> {
            try {
                for (long sent = 0; ; sent++) {
                    Signal.raise(OURS);
                    // The JVM's dispatcher takes the lowest number first: more of them than it can take would keep SIGQUIT out.
                    while (SEEN.get() <= sent) Thread.sleep(2);
                }
            } catch (InterruptedException end) {
                Thread.currentThread().interrupt();
            }
        }, "sender");
        sender.setDaemon(true);
        sender.start();
    }

    static long seen() {
        return SEEN.get();
    }
}
