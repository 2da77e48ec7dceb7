import java.util.Random;

/**
 * Makes stacks that hardly ever repeat: two threads walk random ways through twelve methods, 20 to 60 frames deep, and
 * work a little at the end of each. Prints "ready", ends when a line comes on standard input.
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

        private void work() {
            long value = sink;
            for (int n = 1; n < 2_000; n++) value = value * 31 + value / n;
            sink = value;
        }
    }

    public static void main(String[] args) throws java.io.IOException {
        for (int seed = 1; seed <= 2; seed++) new Thread(new Walk(seed)).start();
        System.out.println("ready");
        System.in.read();
        asked = true;
    }
}
