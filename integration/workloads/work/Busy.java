import java.util.HashMap;
import java.util.Map;

/**
 * Busy until it ends in the way of its argument.
 *   line    prints "ready" and works until a line comes on standard input
 *   return  works a while, then main returns
 *   exit    works a while, then System.exit(7)
 *   allocate  as line, with two threads that keep the garbage collector busy
 *   crowd     as line, with a hundred threads more, "crowd-0" to "crowd-99"; lives on until a second line
 */
public class Busy {
    private static final int A_WHILE = 600;
    private static final int CROWD = 100;
    private static volatile boolean asked;
    private static volatile Object sink;

    static void work() {
        Map<String, Integer> words = new HashMap<>();
        for (int i = 0; i < 20_000; i++) words.merge("word" + i % 3_000, i, Integer::sum);
        sink = words;
    }

    private static void crowd() throws Exception {
        Thread[] threads = new Thread[CROWD];
        for (int i = 0; i < CROWD; i++) {
            threads[i] = new Thread(() -> { while (!asked) work(); }, "crowd-" + i);
            threads[i].start();
        }
        untilAsked(Busy::work);
        for (Thread thread : threads) thread.join();
        System.out.println("alone");
        System.in.read();
    }

    static void allocate() {
        Object[] kept = new Object[4_096];
        for (int i = 0; !asked; i++) kept[i * 31 & 4_095] = new byte[64 + i % 4_096];
        sink = kept;
    }

    private static void untilAsked(Runnable work) throws Exception {
        System.out.println("ready");
        Thread reader = new Thread(() -> {
            try {
                System.in.read();
            } catch (java.io.IOException e) {
                throw new java.io.UncheckedIOException(e);
            }
            asked = true;
        });
        reader.setDaemon(true);
        reader.start();
        while (!asked) work.run();
        System.out.println("done");
    }

    public static void main(String[] args) throws Exception {
        switch (args[0]) {
            case "line":
                untilAsked(Busy::work);
                break;
            case "allocate":
                new Thread(Busy::allocate, "allocate").start();
                untilAsked(Busy::allocate);
                break;
            case "crowd":
                crowd();
                break;
            default:
                for (int i = 0; i < A_WHILE; i++) work();
                if (args[0].equals("exit")) System.exit(7);
        }
    }
}
