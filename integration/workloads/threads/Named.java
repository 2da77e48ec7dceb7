import java.util.concurrent.CountDownLatch;

/**
 * Busy threads with names: alpha, beta-1, beta-2, "gamma (1)" and changing. Prints "ready" when all work. A line on
 * standard input gives the thread changing that line as its name, and prints "named"; an empty line ends the program.
 */
public class Named {
    private static final String[] NAMES = {"alpha", "beta-1", "beta-2", "gamma (1)", "changing"};
    private static volatile boolean asked;
    private static volatile long sink;

    static void work() {
        long value = sink;
        for (int n = 1; n < 200_000; n++) value = value * 31 + value / n;
        sink = value;
    }

    public static void main(String[] args) throws Exception {
        CountDownLatch working = new CountDownLatch(NAMES.length);
        Thread last = null;
        for (String name : NAMES) {
            last = new Thread(() -> {
                working.countDown();
                while (!asked) work();
            }, name);
            last.start();
        }
        working.await();
        System.out.println("ready");
        java.io.BufferedReader in = new java.io.BufferedReader(new java.io.InputStreamReader(System.in));
        for (String line; (line = in.readLine()) != null && !line.isEmpty(); ) {
            last.setName(line);
            System.out.println("named");
        }
        asked = true;
    }
}
