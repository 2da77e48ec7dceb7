import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Pairs of threads compete for native locks, TIMES times each, when it reads "work": two for a mutex, and one each to
 * read and to write. Prints "mutex N", "read N" and "write N", the nanoseconds that the threads waited, and "done".
 * Ends when it reads "end". Arguments: the library native_locks.so, TIMES, and for how many microseconds a lock is held.
 */
public class NativeLocks {
    static native long mutex(long times, long heldMicros);
    static native long read(long times, long heldMicros);
    static native long write(long times, long heldMicros);

    private static Thread begin(LongSupplier work, AtomicLong sum) {
        Thread thread = new Thread(() -> sum.addAndGet(work.getAsLong()));
        thread.start();
        return thread;
    }

    public static void main(String[] arguments) throws Exception {
        System.load(arguments[0]);
        long times = Long.parseLong(arguments[1]), held = Long.parseLong(arguments[2]);
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
        System.out.println("ready");
        while (!"end".equals(input.readLine())) {
            AtomicLong mutex = new AtomicLong(), read = new AtomicLong(), write = new AtomicLong();
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < 2; i++) threads.add(begin(() -> mutex(times, held), mutex));
            threads.add(begin(() -> read(times, held), read));
            threads.add(begin(() -> write(times, held), write));
            for (Thread thread : threads) thread.join();
            System.out.println("mutex " + mutex);
            System.out.println("read " + read);
            System.out.println("write " + write);
            System.out.println("done");
        }
    }
}
