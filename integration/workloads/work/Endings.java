import java.util.ArrayList;
import java.util.List;

/**
 * Computes, allocates, keeps 2 MB and waits for locks for a moment, and ends in the way of its argument.
 *   return     main returns
 *   exit       System.exit(7)
 *   elsewhere  System.exit(7) on another thread, while main computes
 *   uncaught   main throws
 *   signal     prints "ready" and computes until it is killed
 *   memory     main allocates until an OutOfMemoryError, which it throws
 *   halt       Runtime.halt(7)
 */
public class Endings {
    private static final int A_WHILE_MS = 60;
    private static final Object lock = new Object();
    private static volatile Object sink;

    static long compute(long untilNs) {
        long sum = 0;
        for (int i = 1; System.nanoTime() < untilNs; i++) {
            for (int j = 0; j < 1_000; j++) sum += (sum ^ j) * 31;
            if (i % 50 != 0) continue;
            sink = new byte[512];
            synchronized (lock) { sum += sink.hashCode(); }
        }
        return sum;
    }

    private static void fill() {
        List<byte[]> all = new ArrayList<>();
        while (true) all.add(new byte[1 << 19]);
    }

    private static void end(String how) throws Exception {
        switch (how) {
            case "exit":
                System.exit(7);
                break;
            case "elsewhere":
                new Thread(() -> System.exit(7)).start();
                compute(Long.MAX_VALUE);
                break;
            case "uncaught":
                throw new IllegalStateException("the end");
            case "signal":
                System.out.println("ready");
                compute(Long.MAX_VALUE);
                break;
            case "memory":
                fill();
                break;
            case "halt":
                Runtime.getRuntime().halt(7);
                break;
            default:
                break;
        }
    }

    public static void main(String[] args) throws Exception {
        List<byte[]> kept = new ArrayList<>();
        for (int i = 0; i < 2_000; i++) kept.add(new byte[1_000]);
        long until = System.nanoTime() + A_WHILE_MS * 1_000_000L;
        Thread other = new Thread(() -> compute(until), "computes");
        other.start();
        compute(until);
        other.join();
        end(args[0]);
        sink = kept;
    }
}
