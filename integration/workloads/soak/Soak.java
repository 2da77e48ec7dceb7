import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Scanner;
import java.util.concurrent.atomic.AtomicLong;

/**
 * All that a walk of stacks may meet, at once: each activity goes round on a thread of its own, checks its own results and
 * counts its rounds. Prints "ready"; answers the line "counts" with "counts NAME=ROUNDS …"; at the line "end" prints "done"
 * and ends. A wrong result ends the JVM with status 3 and a line "wrong NAME: …".
 */
public class Soak {
    interface Activity {
        void round() throws Exception;
    }

    private static final Map<String, AtomicLong> ROUNDS = new LinkedHashMap<>();
    private static volatile boolean ended;

    static void check(boolean right, String what) {
        if (!right) throw new IllegalStateException(what);
    }

    private static Thread go(String name, Activity activity) {
        AtomicLong rounds = new AtomicLong();
        ROUNDS.put(name, rounds);
        return new Thread(() -> {
            try {
                for (; !ended; rounds.incrementAndGet()) activity.round();
            } catch (Throwable wrong) {
                System.out.println("wrong " + name + ": " + wrong);
                wrong.printStackTrace();
                Runtime.getRuntime().halt(3);
            }
        }, name);
    }

    private static String counts() {
        StringBuilder line = new StringBuilder("counts");
        ROUNDS.forEach((name, rounds) -> line.append(' ').append(name).append('=').append(rounds));
        return line.append(" signals=").append(Signals.seen()).append(" alarms=").append(Calls.alarms()).toString();
    }

    public static void main(String[] args) throws Exception {
        Signals.listen();
        Calls.startAlarms();
        Thread[] threads = {
            go("classes", new Classes()),       go("deoptimizations", new Deoptimizations()),
            go("redefinitions", new Redefinitions()), go("recursions", new Recursions()),
            go("exceptions", new Exceptions()), go("calls", new Calls()),
            go("threads", new Threads()),       go("garbage", new Garbage()),
            go("processes", new Processes()),
        };
        for (Thread thread : threads) thread.start();
        Thread virtual = VirtualThreads.exist() ? go("virtual", new VirtualThreads()) : new Thread();
        virtual.start();
        System.out.println("ready");
        Scanner commands = new Scanner(System.in);
        while (commands.hasNextLine() && !commands.nextLine().equals("end")) System.out.println(counts());
        ended = true;
        for (Thread thread : threads) thread.join();
        virtual.join();
        System.out.println("done");
    }
}
