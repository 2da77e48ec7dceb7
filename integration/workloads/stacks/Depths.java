/**
 * Works on a thread named "depths" with DEPTH frames of this class on its stack. The outer three quarters never change;
 * the others stay as well (steady) or take another way through twelve methods every few microseconds (changing).
 *   Depths DEPTH steady|changing   prints "ready", ends when a line comes on standard input
 * With -XX:CompileCommand=dontinline,Depths.* a call is a frame.
 */
public class Depths {
    private static final int TURNS = 1000;
    private static volatile boolean asked;
    private static volatile long sink;
    private final int changingLevels;
    private final boolean changing;
    private long random = 1;

    /** A level is three frames: go, choose and one of the twelve. */
    private Depths(int levels, boolean changing) {
        this.changingLevels = levels / 4;
        this.changing = changing;
    }

    private long next() {
        random = random * 6364136223846793005L + 1442695040888963407L;
        return random;
    }

    private void go(int left, long way) {
        if (left == 0) {
            work();
        } else if (left == changingLevels) {
            for (int turn = 0; turn < TURNS && !asked; turn++) choose(left, changing ? next() : way);
        } else {
            choose(left, way);
        }
    }

    private void choose(int left, long way) {
        long rest = Long.rotateLeft(way, 7) * 31;
        switch ((int) ((way >>> 33) % 12)) {
            case 0: a(left - 1, rest); break;
            case 1: b(left - 1, rest); break;
            case 2: c(left - 1, rest); break;
            case 3: d(left - 1, rest); break;
            case 4: e(left - 1, rest); break;
            case 5: f(left - 1, rest); break;
            case 6: g(left - 1, rest); break;
            case 7: h(left - 1, rest); break;
            case 8: i(left - 1, rest); break;
            case 9: j(left - 1, rest); break;
            case 10: k(left - 1, rest); break;
            default: l(left - 1, rest);
        }
    }

    private void a(int left, long way) { go(left, way); }
    private void b(int left, long way) { go(left, way); }
    private void c(int left, long way) { go(left, way); }
    private void d(int left, long way) { go(left, way); }
    private void e(int left, long way) { go(left, way); }
    private void f(int left, long way) { go(left, way); }
    private void g(int left, long way) { go(left, way); }
    private void h(int left, long way) { go(left, way); }
    private void i(int left, long way) { go(left, way); }
    private void j(int left, long way) { go(left, way); }
    private void k(int left, long way) { go(left, way); }
    private void l(int left, long way) { go(left, way); }

    private void work() {
        long value = sink;
        for (int n = 1; n < 2_000; n++) value = value * 31 + value / n;
        sink = value;
    }

    public static void main(String[] args) throws java.io.IOException {
        int levels = (Integer.parseInt(args[0]) - 1) / 3;
        Depths depths = new Depths(levels, args[1].equals("changing"));
        new Thread(() -> {
            while (!asked) depths.go(levels, 0x9e3779b97f4a7c15L);
        }, "depths").start();
        System.out.println("ready");
        System.in.read();
        asked = true;
    }
}
