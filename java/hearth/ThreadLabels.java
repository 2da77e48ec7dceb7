package hearth;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The labels of each thread, and the agent's memory in which its samples find their number. A thread uses only its own.
 *
 * <p>The data of a thread is an array of the JDK's own objects as long as it has no labels: in a server's pool it
 * outlives the application and must not hold its class loader.
 */
final class ThreadLabels {
    private static final int LABELS = 0; // null: none
    private static final int CELL = 1; // null: no agent, not yet assigned, or the thread is not seen
    private static final int IS_VIRTUAL = 2; // null: unknown, until it has labels
    private static final int IS_NOT_SEEN = 3; // TRUE or null

    private static final ThreadLocal<Object[]> HERE = ThreadLocal.withInitial(() -> new Object[4]);
    private static final MethodHandle ASK_VIRTUAL = findIsVirtual();
    // The agent sets it, too, if it is loaded after this class.
    private static volatile boolean hasAgent = findAgent();
    // Time after which the agent wants to know of a finished scope; 0: never. The agent changes it.
    private static long slowNs = hasAgent ? slowNs0() : 0;

    private ThreadLabels() {}

    static boolean hasAgent() {
        return hasAgent;
    }

    /** Data of the calling thread, for the other methods. */
    static Object[] here() {
        return HERE.get();
    }

    static Labels labels(Object[] here) {
        Object labels = here[LABELS];
        return labels == null ? Labels.NONE : (Labels) labels;
    }

    static void set(Object[] here, Labels labels) {
        here[LABELS] = labels == Labels.NONE ? null : labels;
        ByteBuffer cell = (ByteBuffer) here[CELL];
        if (cell == null) cell = join(here);
        if (cell == null) return;
        cell.putInt(0, labels.number());
        if (ThreadRecord.publishes && here[IS_VIRTUAL] != Boolean.TRUE) ThreadRecord.setLabels(labels);
        if (labels == Labels.NONE && here[IS_VIRTUAL] == Boolean.TRUE) leave(here);
    }

    /** Start time of work that may be slow; 0: not wanted. */
    static long began() {
        return slowNs == 0 ? 0 : System.nanoTime();
    }

    /** Reports the end of work that began then, under these labels. */
    static void ended(Labels labels, long began) {
        long took = System.nanoTime() - began;
        if (slowNs == 0 || took < slowNs) return;
        try {
            slow0(labels.number(), took);
        } catch (UnsatisfiedLinkError ofAnotherClassLoader) {
            slowNs = 0;
        }
    }

    // Once in the life of a platform thread. A virtual thread joins each time it gets labels: its samples come by the
    // thread that carries it and are found by its number, and there are too many of them for a cell each.
    private static ByteBuffer join(Object[] here) {
        if (!hasAgent || here[IS_NOT_SEEN] != null || here[LABELS] == null) return null;
        boolean isVirtual = isVirtual(Thread.currentThread());
        here[IS_VIRTUAL] = isVirtual;
        try {
            ByteBuffer made = isVirtual ? virtualCell0(number()) : cell0();
            if (made == null) here[IS_NOT_SEEN] = Boolean.TRUE;
            else here[CELL] = made.order(ByteOrder.nativeOrder());
        } catch (UnsatisfiedLinkError ofAnotherClassLoader) {
            hasAgent = false;
        }
        return (ByteBuffer) here[CELL];
    }

    // In this order: if the stack overflows in between, the cell is still known.
    private static void leave(Object[] here) {
        giveBack0(number());
        here[CELL] = null;
    }

    @SuppressWarnings("deprecation") // threadId() came with JDK 19; a virtual thread's getId() is the same
    static long number() {
        return Thread.currentThread().getId();
    }

    /** Number of {@code text}, which is keys and values, each followed by a zero byte; 0 if there is none. */
    static int number(byte[] text) {
        try {
            return number0(text);
        } catch (UnsatisfiedLinkError ofAnotherClassLoader) {
            hasAgent = false;
            return 0;
        }
    }

    // The JVM looks for native methods in its agents, too.
    private static boolean findAgent() {
        try {
            number0(new byte[0]);
            return true;
        } catch (UnsatisfiedLinkError notLoaded) {
            return false;
        }
    }

    // Since JDK 21.
    private static MethodHandle findIsVirtual() {
        try {
            return MethodHandles.publicLookup().findVirtual(Thread.class, "isVirtual", MethodType.methodType(boolean.class));
        } catch (ReflectiveOperationException older) {
            return null;
        }
    }

    static boolean isVirtual(Thread thread) {
        try {
            return ASK_VIRTUAL != null && (boolean) ASK_VIRTUAL.invokeExact(thread);
        } catch (Throwable impossible) {
            return true;
        }
    }

    private static native ByteBuffer cell0();

    private static native int number0(byte[] text);

    private static native ByteBuffer virtualCell0(long thread);

    private static native void giveBack0(long thread);

    private static native long slowNs0();

    private static native void slow0(int labels, long took);
}
