package hearth;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The labels of one thread, and the agent's memory in which its samples find their number. Only the thread itself uses it.
 */
final class ThreadLabels {
    private static final ThreadLocal<ThreadLabels> HERE = ThreadLocal.withInitial(ThreadLabels::new);
    private static final MethodHandle IS_VIRTUAL = findIsVirtual();
    // The agent, too, sets it, when it comes later than this class.
    private static volatile boolean hasAgent = findAgent();

    private final Thread thread = Thread.currentThread();
    private final boolean isVirtual = isVirtual(thread);
    private Labels labels = Labels.NONE;
    private ByteBuffer cell; // null: without agent, not yet, or the thread is not seen
    private boolean isNotSeen;

    static ThreadLabels here() {
        return HERE.get();
    }

    Labels labels() {
        return labels;
    }

    void set(Labels labels) {
        this.labels = labels;
        if (cell == null && !join()) return;
        cell.putInt(0, labels.number());
        if (isVirtual && labels == Labels.NONE) leave();
    }

    // Once in the life of a thread; of a virtual one, whose samples come by the thread that carries it and are found by
    // its number, each time that it has labels: there are too many of them for a cell each.
    private boolean join() {
        if (!hasAgent || isNotSeen || labels == Labels.NONE) return false;
        try {
            ByteBuffer made = isVirtual ? virtualCell0(number()) : cell0();
            if (made != null) cell = made.order(ByteOrder.nativeOrder());
            isNotSeen = made == null;
        } catch (UnsatisfiedLinkError ofAnotherClassLoader) {
            hasAgent = false;
        }
        return cell != null;
    }

    private void leave() {
        cell = null;
        giveBack0(number());
    }

    @SuppressWarnings("deprecation") // threadId() came with JDK 19; a virtual thread's getId() is the same
    private long number() {
        return thread.getId();
    }

    /** Of {@code text}, which is keys and values with a zero behind each; 0 where it cannot be had. */
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

    // JDK 21 on.
    private static MethodHandle findIsVirtual() {
        try {
            return MethodHandles.publicLookup().findVirtual(Thread.class, "isVirtual", MethodType.methodType(boolean.class));
        } catch (ReflectiveOperationException older) {
            return null;
        }
    }

    private static boolean isVirtual(Thread thread) {
        try {
            return IS_VIRTUAL != null && (boolean) IS_VIRTUAL.invokeExact(thread);
        } catch (Throwable impossible) {
            return true;
        }
    }

    private static native ByteBuffer cell0();

    private static native int number0(byte[] text);

    private static native ByteBuffer virtualCell0(long thread);

    private static native void giveBack0(long thread);
}
