/** Calls from Java to native code and back, many times in one stack; native threads that visit; a bare fork; alarms. */
final class Calls implements Soak.Activity {
    private static final int DEEP = 30;
    private int round;

    static {
        System.loadLibrary("soak");
    }

    private static native long down(int depth);
    private static native long sum(byte[] numbers);
    private static native int visit(int threads);
    /** The exit status of a child that works a little and never executes another program. */
    private static native int fork();
    /** The process gets a SIGALRM a thousand times a second from now on. */
    static native void startAlarms();
    static native long alarms();

    /** Called by the native code. */
    private static long up(int depth) {
        if (depth == 5) {
            try {
                down(-1);
                Soak.check(false, "an exception of the native code");
            } catch (IllegalStateException expected) {
                return down(depth - 1) + 1;
            }
        }
        return depth <= 0 ? Exceptions.work(1_000) * 0L : down(depth - 1) + 1;
    }

    @Override
    public void round() {
        Soak.check(down(DEEP) == DEEP / 2, "as many calls up as asked for");
        byte[] numbers = new byte[10_000];
        java.util.Arrays.fill(numbers, (byte) 1);
        Soak.check(sum(numbers) == numbers.length, "the sum of a pinned array");
        if (++round % 50 == 0) Soak.check(visit(4) == 4, "four threads visited");
        if (round % 100 == 0) Soak.check(fork() == 7, "the child's status");
    }
}
