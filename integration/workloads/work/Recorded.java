import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/** Does things that a flight recorder records, for some seconds: hot() takes most CPU time. */
public class Recorded {
    private static final Object MONITOR = new Object();
    private static final ReentrantLock LOCK = new ReentrantLock();
    private static final int STEP_MS = 25;
    private static volatile long sink;

    static long hot(long count) {
        long sum = 0;
        for (long i = 0; i < count; i++) sum += i * i ^ sum >> 3;
        return sum;
    }

    static void compete(long until) {
        while (System.nanoTime() < until) {
            synchronized (MONITOR) { pause(); }
            LOCK.lock();
            try { pause(); } finally { LOCK.unlock(); }
            LockSupport.parkNanos(STEP_MS * 1_000_000L);
        }
    }

    static void pause() {
        try { Thread.sleep(STEP_MS); } catch (InterruptedException e) { throw new IllegalStateException(e); }
    }

    static void await(long until) {
        synchronized (Recorded.class) {
            while (System.nanoTime() < until) {
                try { Recorded.class.wait(STEP_MS); } catch (InterruptedException e) { throw new IllegalStateException(e); }
            }
        }
    }

    static void move(Path path) throws Exception {
        byte[] bytes = new byte[50_000];
        try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
            file.write(bytes);
            file.seek(0);
            sink += file.read(bytes);
        }
    }

    public static void main(String[] args) throws Exception {
        long until = System.nanoTime() + Long.parseLong(args[0]) * 1_000_000_000L;
        for (int i = 0; i < 2; i++) new Thread(() -> compete(until), "competitor-" + i).start();
        new Thread(() -> await(until), "waiting").start();
        Path path = Files.createTempFile("recorded", "");
        while (System.nanoTime() < until) {
            sink += hot(3_000_000);
            for (int i = 0; i < 300; i++) sink += new byte[2_000 + i].length;
            try { throw new IllegalStateException("expected"); } catch (IllegalStateException e) { sink++; }
            move(path);
        }
        Files.delete(path);
    }
}
