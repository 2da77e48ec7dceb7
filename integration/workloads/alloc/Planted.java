import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import sun.misc.Unsafe;

/**
 * Eight kinds of memory, each with a healthy use and a leak: malloc, mmap, unsafe, direct, global (references of JNI to arrays), map (static),
 * threadlocal, listener. The arguments: the library of planted_leaks.c; the healthy ones, separated by commas, or "none"; the leaks; bytes a
 * second of each leak; seconds that healthy memory lives. Prints "ready" when all that is healthy is full, and ends with its input.
 */
public class Planted {
    static final int STEPS = 100, LEAST = 8_000, MOST = 40_000;
    static final int PIECE = (LEAST + MOST) / 2;
    static final int HEALTHY_A_STEP = 2;

    static native long malloc(long size);
    static native void free(long memory);
    static native long map(long size);
    static native void unmap(long memory, long size);
    static native long newGlobal(Object object);
    static native void deleteGlobal(long reference);

    static Unsafe unsafe;
    static Random random = new Random(7);

    static int size() {
        return LEAST + random.nextInt(MOST - LEAST);
    }

    /** One kind of memory. */
    abstract static class Kind {
        final ArrayDeque<Object> kept = new ArrayDeque<>();

        abstract Object allocate(int bytes);
        abstract void leak(int bytes);
        void release(Object one) {}

        /** The oldest is released for a new one, as soon as there are `most`. */
        void serve(int most) {
            kept.add(allocate(size()));
            while (kept.size() > most) release(kept.poll());
        }
    }

    static class Malloc extends Kind {
        Object allocate(int bytes) { return malloc(bytes); }
        void leak(int bytes) { leakMalloc(bytes); }
        void release(Object one) { free((Long) one); }
        static void leakMalloc(int bytes) { malloc(bytes); }
    }

    static class Mapping extends Kind {
        Object allocate(int bytes) { return new long[] {map(bytes), bytes}; }
        void leak(int bytes) { leakMmap(bytes); }
        void release(Object one) { unmap(((long[]) one)[0], ((long[]) one)[1]); }
        static void leakMmap(int bytes) { map(bytes); }
    }

    static class OffHeap extends Kind {
        Object allocate(int bytes) { return unsafe.allocateMemory(bytes); }
        void leak(int bytes) { leakUnsafe(bytes); }
        void release(Object one) { unsafe.freeMemory((Long) one); }
        static void leakUnsafe(int bytes) { unsafe.allocateMemory(bytes); }
    }

    /** Buffers of a pool that are given back, and some new ones in place of old ones, which a collection frees. */
    static class Direct extends Kind {
        static final List<ByteBuffer> leaked = new ArrayList<>();
        Object allocate(int bytes) { return ByteBuffer.allocateDirect(bytes); }
        void leak(int bytes) { leakDirect(bytes); }
        static void leakDirect(int bytes) { leaked.add(ByteBuffer.allocateDirect(bytes)); }
    }

    static class Global extends Kind {
        Object allocate(int bytes) { return newGlobal(new byte[bytes]); }
        void leak(int bytes) { leakGlobal(bytes); }
        void release(Object one) { deleteGlobal((Long) one); }
        static void leakGlobal(int bytes) { newGlobal(new byte[bytes]); }
    }

    /** A cache that replaces its eldest entry, and a static map that only grows. */
    static class Cached extends Kind {
        static final Map<Long, byte[]> leaked = new HashMap<>();
        int most = Integer.MAX_VALUE;
        long key;
        final Map<Long, byte[]> cache = new LinkedHashMap<Long, byte[]>(16, 0.75f, true) {
            protected boolean removeEldestEntry(Map.Entry<Long, byte[]> eldest) { return size() > most; }
        };
        Object allocate(int bytes) { return cache.put(key++, new byte[bytes]); }
        void serve(int most) {
            this.most = most;
            allocate(size());
            cache.get(key - 1 - random.nextInt(most));
        }
        void leak(int bytes) { leakMap(bytes); }
        static void leakMap(int bytes) { leaked.put((long) leaked.size(), new byte[bytes]); }
    }

    /** A thread's values: removed after use, or never, as each holds its key. */
    static class Local extends Kind {
        static class Context {
            final ThreadLocal<Context> key;
            final byte[] content;
            Context(ThreadLocal<Context> key, int bytes) {
                this.key = key;
                content = new byte[bytes];
            }
        }
        static ThreadLocal<Context> set(int bytes) {
            ThreadLocal<Context> key = new ThreadLocal<>();
            key.set(new Context(key, bytes));
            return key;
        }
        Object allocate(int bytes) { return set(bytes); }
        void release(Object one) { ((ThreadLocal<?>) one).remove(); }
        void leak(int bytes) { leakThreadLocal(bytes); }
        static void leakThreadLocal(int bytes) { set(bytes); }
    }

    static class Listening extends Kind {
        static final List<Runnable> listeners = new ArrayList<>();
        static Runnable listen(int bytes) {
            byte[] view = new byte[bytes];
            Runnable listener = () -> view[0]++;
            listeners.add(listener);
            return listener;
        }
        Object allocate(int bytes) { return listen(bytes); }
        void release(Object one) { listeners.remove(one); }
        void leak(int bytes) { leakListener(bytes); }
        static void leakListener(int bytes) { listen(bytes); }
    }

    static Kind kind(String name) {
        switch (name) {
            case "malloc": return new Malloc();
            case "mmap": return new Mapping();
            case "unsafe": return new OffHeap();
            case "direct": return new Direct();
            case "global": return new Global();
            case "map": return new Cached();
            case "threadlocal": return new Local();
            case "listener": return new Listening();
            default: throw new IllegalArgumentException(name);
        }
    }

    static List<Kind> kinds(String names) {
        List<Kind> kinds = new ArrayList<>();
        for (String name : names.split(","))
            if (!name.equals("none")) kinds.add(kind(name));
        return kinds;
    }

    /** Rows of a service until its next flush: they grow and shrink once a second. */
    static final List<byte[]> batch = new ArrayList<>();

    static void collect(long step) {
        batch.add(new byte[size()]);
        if (step % STEPS == 0) batch.clear();
    }

    static void run(List<Kind> healthy, List<Kind> leaking, int bytes, int most) {
        long began = System.nanoTime(), owed = 0;
        for (long step = 1;; step++) {
            for (Kind kind : healthy)
                for (int i = 0; i < HEALTHY_A_STEP; i++) kind.serve(most);
            collect(step);
            owed += bytes / STEPS;
            for (; owed >= PIECE; owed -= PIECE)
                for (Kind kind : leaking) kind.leak(PIECE);
            // Steps keep to the clock: one that was late is made up for.
            long left = began + step * 1_000_000_000L / STEPS - System.nanoTime();
            if (left > 0) LockSupport.parkNanos(left);
        }
    }

    public static void main(String[] arguments) throws Exception {
        System.load(arguments[0]);
        Field field = Unsafe.class.getDeclaredField("theUnsafe");
        field.setAccessible(true);
        unsafe = (Unsafe) field.get(null);
        List<Kind> healthy = kinds(arguments[1]), leaking = kinds(arguments[2]);
        int most = Math.max(1, (int) (Double.parseDouble(arguments[4]) * STEPS * HEALTHY_A_STEP));
        Thread running = new Thread(() -> {
            for (Kind kind : healthy)
                for (int i = 0; i < most; i++) kind.serve(most);
            System.out.println("ready");
            run(healthy, leaking, Integer.parseInt(arguments[3]), most);
        }, "service");
        running.setDaemon(true);
        running.start();
        System.in.read();
    }
}
