import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Scanner;
import java.util.function.IntUnaryOperator;

/** Calls methods by commands, and knows how often. */
public class TracedCalls {
    static volatile int sink;

    /** Is called depth + 1 times. */
    static int recurse(int depth) {
        return depth == 0 ? 1 : 1 + recurse(depth - 1);
    }

    static void fail(int x) {
        if (x % 3 != 0) throw new IllegalStateException();
    }

    static int small(int x) {
        return x + 1;
    }

    static void pause(long ms) throws InterruptedException {
        Thread.sleep(ms);
    }

    static void outer(long ms) throws InterruptedException {
        pause(ms);
    }

    static IntUnaryOperator twice() {
        return x -> 2 * x;
    }

    static class Made {
        final int value;

        Made(int value) {
            this.value = value;
        }
    }

    static class Later {
        static void call() {
            sink++;
        }
    }

    static void run(int count) throws Exception {
        IntUnaryOperator twice = twice();
        for (int i = 0; i < count; i++) {
            sink += recurse(3);
            sink += new Made(i).value;
            sink += twice.applyAsInt(i);
            try {
                fail(i);
            } catch (IllegalStateException error) {
                sink++;
            }
        }
        List<Thread> threads = new ArrayList<>();
        for (int thread = 0; thread < 4; thread++) {
            threads.add(new Thread(() -> {
                for (int i = 0; i < count / 4; i++) sink = small(i);
            }, "caller-" + thread));
        }
        for (Thread thread : threads) thread.start();
        for (Thread thread : threads) thread.join();
        Later.call();
    }

    /** Returns the longest time of a call, in nanoseconds. */
    static long pauses(int count, long ms) throws Exception {
        long longest = 0;
        for (int i = 0; i < count; i++) {
            long begin = System.nanoTime();
            outer(ms);
            longest = Math.max(longest, System.nanoTime() - begin);
        }
        return longest;
    }

    /** Returns the place of its own call below, which moves if something is put before it. */
    static int place() {
        int own = StackWalker.getInstance().walk(frames -> frames.findFirst().get().getByteCodeIndex());
        return own;
    }

    static void virtual(int count, long ms) throws Exception {
        Method start = Thread.class.getMethod("startVirtualThread", Runnable.class);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            threads.add((Thread) start.invoke(null, (Runnable) () -> {
                try {
                    pause(ms);
                } catch (InterruptedException error) {
                    throw new IllegalStateException(error);
                }
            }));
        }
        for (Thread thread : threads) thread.join();
    }

    /** Nanoseconds of the fastest of some rounds of calls. */
    static double speed() {
        double best = 1e9;
        for (int round = 0; round < 10; round++) {
            long begin = System.nanoTime();
            for (int i = 0; i < 1_000_000; i++) sink = small(i);
            best = Math.min(best, (System.nanoTime() - begin) / 1e6);
        }
        return best;
    }

    public static void main(String[] args) throws Exception {
        System.out.println("ready");
        Scanner in = new Scanner(System.in);
        while (in.hasNextLine()) {
            String[] words = in.nextLine().split(" ");
            String answer = "done";
            if (words[0].equals("run")) run(Integer.parseInt(words[1]));
            if (words[0].equals("pauses")) answer = "" + pauses(Integer.parseInt(words[1]), Long.parseLong(words[2]));
            if (words[0].equals("place")) answer = "" + place();
            if (words[0].equals("virtual")) virtual(Integer.parseInt(words[1]), Long.parseLong(words[2]));
            if (words[0].equals("speed")) answer = String.format("fastest %.1f", speed());
            if (words[0].equals("end")) break;
            System.out.println(answer);
        }
    }
}
