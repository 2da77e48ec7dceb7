/**
 * Works at the end of a recursion as deep as its argument, alternating with the end of a shallow call. Prints "ready"
 * and ends when a line comes on standard input.
 */
public class Deep {
    private static volatile boolean asked;
    private static volatile long sink;

    private static void work() {
        long value = sink;
        for (int n = 1; n < 200_000; n++) value = value * 31 + value / n;
        sink = value;
    }

    private static void down(int left) {
        if (left == 0) work();
        else down(left - 1);
    }

    private static void shallow() { work(); }

    public static void main(String[] args) throws Exception {
        int depth = Integer.parseInt(args[0]);
        Thread worker = new Thread(() -> {
            while (!asked) {
                down(depth);
                shallow();
            }
        }, "deep");
        worker.start();
        System.out.println("ready");
        System.in.read();
        asked = true;
    }
}
