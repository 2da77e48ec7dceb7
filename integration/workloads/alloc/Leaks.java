import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import sun.misc.Unsafe;

/**
 * Leaks as many bytes a second as its argument says, natively at one site and on the heap at another, in steps of a hundredth of that;
 * a third site frees what it allocates. Prints "ready", and ends with its input.
 */
public class Leaks {
    private static final int STEPS = 100, PIECES = 5;
    private static final List<byte[]> kept = new ArrayList<>();
    private static Unsafe unsafe;

    static void leakNatively(int bytes) {
        unsafe.allocateMemory(bytes);
    }

    static void leakOnHeap(int bytes) {
        kept.add(new byte[bytes]);
    }

    static void comeAndGo(int bytes) {
        unsafe.freeMemory(unsafe.allocateMemory(bytes));
    }

    private static void leak(int bytes) {
        long began = System.nanoTime();
        for (long step = 1;; step++) {
            for (int i = 0; i < PIECES; i++) {
                leakNatively(bytes / STEPS / PIECES);
                leakOnHeap(bytes / STEPS / PIECES);
                comeAndGo(bytes / STEPS / PIECES);
            }
            // Steps keep to the clock: one that was late is made up for.
            long left = began + step * 1_000_000_000L / STEPS - System.nanoTime();
            if (left > 0) java.util.concurrent.locks.LockSupport.parkNanos(left);
        }
    }

    public static void main(String[] arguments) throws Exception {
        Field field = Unsafe.class.getDeclaredField("theUnsafe");
        field.setAccessible(true);
        unsafe = (Unsafe) field.get(null);
        Thread leaking = new Thread(() -> leak(Integer.parseInt(arguments[0])));
        leaking.setDaemon(true);
        leaking.start();
        System.out.println("ready");
        System.in.read();
    }
}
