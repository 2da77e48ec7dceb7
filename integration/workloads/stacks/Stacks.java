import java.util.Random;

/**
 * Two threads make stacks that hardly ever repeat, and work a little at the end of each:
 *   wide     random ways through twelve methods, 20 to 60 calls deep, two frames a call
 *   narrow   50 frames deep; a level calls one of two methods, at random for the inner 21 levels
 * Prints "ready", ends when a line comes on standard input. With -XX:CompileCommand=dontinline,Stacks* a call is a frame.
 */
public class Stacks {
    private static volatile boolean asked;
    private static volatile long sink;

    private static final class Walk implements Runnable {
        private final Random random;

        Walk(long seed) { random = new Random(seed); }

        @Override
        public void run() {
            while (!asked) next(20 + random.nextInt(41));
        }

        private void next(int left) {
            if (left == 0) { work(); return; }
            switch (random.nextInt(12)) {
                case 0: a(left); break;
                case 1: b(left); break;
                case 2: c(left); break;
                case 3: d(left); break;
                case 4: e(left); break;
                case 5: f(left); break;
                case 6: g(left); break;
                case 7: h(left); break;
                case 8: i(left); break;
                case 9: j(left); break;
                case 10: k(left); break;
                default: l(left);
            }
        }

        private void a(int left) { next(left - 1); }
        private void b(int left) { next(left - 1); }
        private void c(int left) { next(left - 1); }
        private void d(int left) { next(left - 1); }
        private void e(int left) { next(left - 1); }
        private void f(int left) { next(left - 1); }
        private void g(int left) { next(left - 1); }
        private void h(int left) { next(left - 1); }
        private void i(int left) { next(left - 1); }
        private void j(int left) { next(left - 1); }
        private void k(int left) { next(left - 1); }
        private void l(int left) { next(left - 1); }
    }

    private static final class Branch implements Runnable {
        private static final int DEPTH = 46;
        private static final int FIXED = 25;  // outer levels that are always the same
        private final Random random;

        Branch(long seed) { random = new Random(seed); }

        @Override
        public void run() {
            while (!asked) left(DEPTH, random.nextLong() >>> FIXED);
        }

        private void left(int left, long way) {
            if (left == 0) Stacks.work();
            else if (way >= 0) left(left - 1, way << 1);
            else right(left - 1, way << 1);
        }

        private void right(int left, long way) {
            if (left == 0) Stacks.work();
            else if (way < 0) right(left - 1, way << 1);
            else left(left - 1, way << 1);
        }
    }

    static void work() {
        long value = sink;
        for (int n = 1; n < 2_000; n++) value = value * 31 + value / n;
        sink = value;
    }

    public static void main(String[] args) throws java.io.IOException {
        for (int seed = 1; seed <= 2; seed++)
            new Thread(args[0].equals("narrow") ? new Branch(seed) : new Walk(seed)).start();
        System.out.println("ready");
        System.in.read();
        asked = true;
    }
}
