import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Scanner;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/** Makes exceptions by commands, and knows how many of each class at each site, as their own stack traces have it. */
public class Exceptions {
    static final Map<String, Integer> MADE = new TreeMap<>();
    static Object nothing;
    static int zero;

    static class Own extends RuntimeException {
        Own(String message) {
            super(message);
        }

        Own(int number) {
            this("order " + number + " of 'Bob' is late");
        }
    }

    static class Deeper extends Own {
        Deeper(int number) {
            super(number);
        }
    }

    /** Has no stack trace, and so makes no call of fillInStackTrace. */
    static class Quiet extends Exception {
        Quiet() {
            super("quiet", null, false, false);
        }
    }

    static class Checked extends Exception {
        Checked(Throwable cause) {
            super(cause);
        }
    }

    /** Is no exception: its constructor is a site. */
    static class Refusing {
        Refusing(int number) {
            if (number >= 0) throw new IllegalArgumentException("number " + number);
        }
    }

    interface Action {
        void run() throws Throwable;
    }

    static void meet(Action action) {
        try {
            action.run();
        } catch (Throwable error) {
            StackTraceElement[] trace = error.getStackTrace();
            String site = trace.length == 0 ? "Exceptions.quiet" : trace[0].getClassName() + "." + trace[0].getMethodName();
            MADE.merge(error.getClass().getName() + " " + site, 1, Integer::sum);
        }
    }

    static void quiet() throws Quiet {
        throw new Quiet();
    }

    static void own(int number) {
        throw new Own(number);
    }

    static void deeper(int number) {
        throw new Deeper(number);
    }

    static void wrapped(int number) throws Checked {
        try {
            Integer.parseInt("x" + number);
        } catch (NumberFormatException error) {
            MADE.merge(error.getClass().getName() + " " + error.getStackTrace()[0].getClassName() + "." + error.getStackTrace()[0].getMethodName(),
                1, Integer::sum);
            throw new Checked(error);
        }
    }

    static void error() {
        throw new AssertionError("wrong");
    }

    static int ofJvm() {
        return nothing.hashCode() / zero;
    }

    static int divided() {
        return 1 / zero;
    }

    static Object inLambda() {
        Supplier<Object> refuse = () -> {
            throw new UnsupportedOperationException();
        };
        return refuse.get();
    }

    static String run(int count) {
        MADE.clear();
        for (int i = 0; i < count; i++) {
            int number = i;
            meet(() -> own(number));
            meet(() -> deeper(number));
            meet(Exceptions::quiet);
            meet(() -> wrapped(number));
            meet(Exceptions::error);
            meet(Exceptions::ofJvm);
            meet(Exceptions::divided);
            meet(Exceptions::inLambda);
            meet(() -> new Refusing(number));
        }
        return MADE.toString();
    }

    /** Three of four are of one class and site; nothing reads their stack traces. */
    static void many(int count) {
        for (int i = 0; i < count; i++) {
            try {
                if (i % 4 == 0) quiet();
                own(i);
            } catch (Quiet | Own error) {
                zero = 0;
            }
        }
    }

    static void virtual(int count) throws Exception {
        Method start = Thread.class.getMethod("startVirtualThread", Runnable.class);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            threads.add((Thread) start.invoke(null, (Runnable) () -> {
                try {
                    Thread.sleep(1);
                    quiet();
                } catch (Quiet | InterruptedException error) {
                    zero = 0;
                }
            }));
        }
        for (Thread thread : threads) thread.join();
    }

    static int recurse() {
        try {
            return 1 + recurse();
        } catch (StackOverflowError full) {
            for (int i = 0; i < 3; i++) {
                try {
                    own(i);
                } catch (Own error) {
                    zero = 0;
                }
            }
            return 0;
        }
    }

    /** Returns how many of three exceptions reach the hook; the agent's own class must be there. */
    static long hooked() throws Exception {
        Class<?> hooks = Class.forName("java.lang.HearthExceptions");
        Field interval = hooks.getDeclaredField("interval"), made = hooks.getDeclaredField("MADE");
        interval.setAccessible(true);
        made.setAccessible(true);
        long before = interval.getLong(null);
        if (before < 0) interval.setLong(null, 1_000_000_000);
        AtomicLong counter = (AtomicLong) made.get(null);
        long first = counter.get();
        for (int i = 0; i < 3; i++) nothing = new Exception();
        nothing = null;
        long more = counter.get() - first;
        interval.setLong(null, before); // reflection may make exceptions itself
        return more;
    }

    /** Nanoseconds of one exception in the fastest of some rounds. */
    static String speed(boolean isQuiet) {
        double best = 1e9;
        for (int round = 0; round < 20; round++) {
            int count = 100_000;
            long begin = System.nanoTime();
            for (int i = 0; i < count; i++) {
                try {
                    if (isQuiet) quiet();
                    error();
                } catch (Quiet | AssertionError error) {
                    zero = 0;
                }
            }
            best = Math.min(best, (System.nanoTime() - begin) / (double) count);
        }
        return String.format("fastest %.1f", best);
    }

    public static void main(String[] args) throws Exception {
        System.out.println("ready");
        Scanner in = new Scanner(System.in);
        while (in.hasNextLine()) {
            String[] words = in.nextLine().split(" ");
            String answer = "done";
            if (words[0].equals("run")) answer = run(Integer.parseInt(words[1]));
            if (words[0].equals("many")) many(Integer.parseInt(words[1]));
            if (words[0].equals("virtual")) virtual(Integer.parseInt(words[1]));
            if (words[0].equals("recurse")) recurse();
            if (words[0].equals("hooked")) answer = "" + hooked();
            if (words[0].equals("speed")) answer = speed(words[1].equals("quiet"));
            if (words[0].equals("end")) break;
            System.out.println(answer);
        }
    }
}
