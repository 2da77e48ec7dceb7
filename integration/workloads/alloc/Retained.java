import java.util.ArrayList;
import java.util.List;

/**
 * Prints "ready" and waits for a line of input. Then it allocates 50 MB in arrays of 1 KB, keeps the argument's number
 * of each hundred, and prints "done"; the next line ends it.
 */
public class Retained {
    private static final int ARRAYS = 50_000, BYTES = 1000 - 16;
    private static final List<byte[]> kept = new ArrayList<>();

    private static void allocate(int arrays, int percent) {
        for (int i = 0; i < arrays; i++) {
            byte[] array = new byte[BYTES];
            if (i % 100 < percent) kept.add(array);
        }
    }

    private static void waitForLine() throws java.io.IOException {
        while (System.in.read() != '\n') { }
    }

    public static void main(String[] args) throws Exception {
        System.out.println("ready");
        waitForLine();
        // On a thread that begins in the session: an older one has its first sample point from before.
        Thread thread = new Thread(() -> allocate(ARRAYS, Integer.parseInt(args[0])), "allocates");
        thread.start();
        thread.join();
        System.out.println("done");
        waitForLine();
    }
}
