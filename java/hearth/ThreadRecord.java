package hearth;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Labels and spans of platform threads as profilers outside of the JVM read them, in the agent's memory (OpenTelemetry's
 * OTEP 4947). They stop a thread and read its record: only the order of its writes counts. A thread uses only its own.
 */
final class ThreadRecord {
    private static final int TRACE_HIGH = 0, TRACE_LOW = 8, SPAN = 16, IS_VALID = 24, SIZE = 26, ATTRIBUTES = 28;
    private static final long[] NONE = {0};

    private static final ThreadLocal<Object[]> HERE = ThreadLocal.withInitial(() -> new Object[1]); // null: not yet assigned
    private static final MethodHandle FENCE = findFence();
    // The agent sets both, too, if it is loaded after this class.
    static volatile boolean hasAgent = ThreadLabels.hasAgent();
    static boolean publishes = hasAgent && asksAgent();

    private ThreadRecord() {}

    /** The labels of the calling platform thread. */
    static void setLabels(Labels labels) {
        ByteBuffer record = record();
        if (record == null) return;
        long[] attributes = labels.attributes();
        begin(record);
        record.putShort(SIZE, (short) attributes[0]);
        for (int i = 1; i < attributes.length; i++) record.putLong(ATTRIBUTES + 8 * (i - 1), attributes[i]);
        end(record);
    }

    /** The span of the calling platform thread; all zero: none. */
    static void setSpan(long traceHigh, long traceLow, long span) {
        ByteBuffer record = record();
        if (record == null) return;
        begin(record);
        record.putLong(TRACE_HIGH, bigEndian(traceHigh));
        record.putLong(TRACE_LOW, bigEndian(traceLow));
        record.putLong(SPAN, bigEndian(span));
        end(record);
    }

    /** Attributes of labels, by the text that {@link ThreadLabels#number(byte[])} takes: their size, and their bytes in words. */
    static long[] attributes(byte[] text) {
        try {
            long[] attributes = attributes0(text);
            return attributes == null ? NONE : attributes;
        } catch (UnsatisfiedLinkError ofAnotherClassLoader) {
            publishes = false;
            return NONE;
        }
    }

    private static void begin(ByteBuffer record) {
        record.put(IS_VALID, (byte) 0);
        fence();
    }

    private static void end(ByteBuffer record) {
        fence();
        record.put(IS_VALID, (byte) 1);
    }

    private static long bigEndian(long id) {
        return ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN ? id : Long.reverseBytes(id);
    }

    private static ByteBuffer record() {
        Object[] here = HERE.get();
        Object known = here[0];
        return known != null ? (ByteBuffer) known : join(here);
    }

    private static ByteBuffer join(Object[] here) {
        try {
            ByteBuffer made = record0();
            if (made == null) return null;
            here[0] = made.order(ByteOrder.nativeOrder());
            return made;
        } catch (UnsatisfiedLinkError ofAnotherClassLoader) {
            publishes = false;
            return null;
        }
    }

    // The compiler of the JVM may move writes across each other, but not across this. JDK 8 has none for programs, and does not move
    // writes to such buffers.
    private static void fence() {
        try {
            if (FENCE != null) FENCE.invokeExact();
        } catch (Throwable impossible) {
            throw new AssertionError(impossible);
        }
    }

    private static MethodHandle findFence() {
        try {
            Class<?> handles = Class.forName("java.lang.invoke.VarHandle");
            return MethodHandles.publicLookup().findStatic(handles, "releaseFence", MethodType.methodType(void.class));
        } catch (ReflectiveOperationException older) {
            return null;
        }
    }

    private static boolean asksAgent() {
        try {
            return publishes0();
        } catch (UnsatisfiedLinkError ofAnotherClassLoader) {
            return false;
        }
    }

    private static native boolean publishes0();

    private static native ByteBuffer record0();

    private static native long[] attributes0(byte[] text);
}
