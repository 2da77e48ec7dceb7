/**
 * Small compiled methods called in a loop: often their way in or out is interrupted.
 *   Boxed         prints "ready", works until its standard input ends
 * Each kind of caller has a thread of its name.
 */
public class Boxed {
    private static final int COUNT = 10_000;
    private static final int SHIFT = 10;
    private static volatile double sink;

    // Five classes: the call stays a virtual one.
    private static Number number(int i) {
        switch (i % 5) {
            case 0: return i;
            case 1: return (long) i;
            case 2: return (short) i;
            case 3: return (byte) i;
            default: return (float) i;
        }
    }

    private static Number[] numbers() {
        Number[] numbers = new Number[COUNT];
        for (int i = 0; i < COUNT; i++) numbers[i] = number(i);
        return numbers;
    }

    // Stores all over the memory before each call: the processor waits for them where the called method stores its caller's
    // frame pointer.
    private static double sum(Number[] numbers, long[] table) {
        double sum = interpreted(1);
        for (Number number : numbers) {
            int place = (int) sum * 0x9E3779B1 >>> SHIFT;
            table[place] = table[place ^ 1 << 16] = place;
            sum += number.doubleValue();
        }
        return sum;
    }

    // Six arguments in registers, further ones on the stack.
    private static long add(long a, long b, long c, long d, long e, long f, long g, long h) {
        return a ^ b + c ^ d + e ^ f + g ^ h;
    }

    private static long passing() {
        long sum = 0;
        for (int i = 0; i < COUNT; i++) sum += add(i, sum, 3, i, sum, 6, 7, sum);
        return sum;
    }

    // A frame of more than 127 bytes.
    private static double large(double x, int i) {
        double a = x + 1, b = x * 2, c = x - 3, d = x * x, e = x + i, f = x - i, g = x * i, h = i - x;
        double j = other(x), k = other(a), l = other(b), m = other(c), n = other(d), o = other(e), p = other(f);
        double q = other(g), r = other(h), s = other(j), t = other(k), u = other(l), v = other(m), w = other(n);
        return a + b + c + d + e + f + g + h + j + k + l + m + n + o + p + q + r + s + t + u + v + w;
    }

    // The adapter to an interpreted method copies the return address to where the next leaf has its frame, and leaves it
    // there.
    private static double interpreted(double x) {
        return x * 0.5;
    }

    private static double other(double x) {
        return x * 0.5 + 1;
    }

    private static double largely() {
        double sum = 0;
        for (int i = 0; i < COUNT / 100; i++) sum = large(sum * 0.1, i);
        return sum;
    }

    private interface Work { double once(); }

    private static void repeat(String name, Work work) {
        Thread thread = new Thread(() -> {
            for (;;) sink = work.once();
        }, name);
        thread.setDaemon(true);
        thread.start();
    }

    public static void main(String[] args) throws java.io.IOException {
        Number[] numbers = numbers();
        long[] table = new long[1 << 32 - SHIFT];
        repeat("boxed", () -> sum(numbers, table));
        repeat("arguments", () -> passing());
        repeat("large", () -> largely());
        System.out.println("ready");
        while (System.in.read() >= 0) { }
    }
}
