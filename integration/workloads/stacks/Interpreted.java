/** Burns CPU in calls, allocation, locks and exceptions, and nothing calls itself. Prints "ready" and ends with a line. */
public class Interpreted {
    static final RuntimeException THROWN = new RuntimeException("x", null, false, false) {};
    static volatile Object sink;
    static long sum;

    public static void main(String[] args) throws Exception {
        Thread thread = new Thread(() -> {
            while (true) outer();
        }, "worker");
        thread.setDaemon(true);
        thread.start();
        System.out.println("ready");
        System.in.read();
    }

    static void outer() {
        for (int i = 0; i < 1000; i++) middle(i);
    }

    static void middle(int count) {
        for (int i = 0; i < 20; i++) inner(i);
        sum += System.nanoTime();
        System.arraycopy(new int[count], 0, new int[count], 0, count);
    }

    static void inner(int step) {
        Object made = new int[2][2];
        synchronized (THROWN) {
            sum += step;
        }
        sink = made;
        if (step % 5 != 0) return;
        try {
            fail(step);
        } catch (RuntimeException thrown) {
            sum++;
        }
    }

    static void fail(int step) {
        sink = new Object[step % 3];
        throw THROWN;
    }
}
