import java.util.ArrayList;
import java.util.List;

/**
 * A local of main holds 30 MB in arrays of 1000 bytes until the JVM ends: by the return of main, or by System.exit where
 * the last argument is "exit". With "collected" first there is a collection when it holds them, and 5 MB of garbage
 * after it.
 */
public class HeldByMain {
    private static final int HELD = 30_000, DROPPED = 5_000, BYTES = 1000 - 16;

    private static void hold(List<byte[]> held) {
        for (int i = 0; i < HELD; i++) held.add(new byte[BYTES]);
    }

    private static void drop(List<byte[]> held) {
        for (int i = 0; i < DROPPED; i++) held.set(0, new byte[BYTES]);
    }

    // A thread that begins in the session draws its first sample point by the session's interval.
    private static void onAnotherThread(Runnable work) throws InterruptedException {
        Thread thread = new Thread(work, "allocates");
        thread.start();
        thread.join();
    }

    public static void main(String[] args) throws Exception {
        List<byte[]> held = new ArrayList<>();
        onAnotherThread(() -> hold(held));
        if (args[0].equals("collected")) {
            System.gc();
            onAnotherThread(() -> drop(held));
        }
        if (args[args.length - 1].equals("exit")) System.exit(0);
    }
}
