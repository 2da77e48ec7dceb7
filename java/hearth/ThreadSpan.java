package hearth;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The span of a trace that each thread works in, in the agent's memory, where its samples find it. A thread uses only
 * its own. As in {@link ThreadLabels}, its data consists of objects of the JDK.
 */
final class ThreadSpan {
    private static final int CELL = 0; // null: not yet assigned, no span now, or the thread is not seen
    private static final int IS_VIRTUAL = 1;
    private static final int IS_NOT_SEEN = 2; // TRUE or null
    private static final int CONTEXT = 3;
    private static final int DIGITS = 4; // null: not needed yet

    private static final int TRACE_HIGH = 0, TRACE_LOW = 8, SPAN = 16, CHECK = 24; // offsets in the cell, in bytes

    private static final ThreadLocal<Object[]> HERE = ThreadLocal.withInitial(() -> new Object[5]);
    // The agent sets it, too, if it is loaded after this class.
    private static volatile boolean hasAgent = ThreadLabels.hasAgent();
    private static volatile String trouble; // null: none

    private ThreadSpan() {}

    static boolean hasAgent() {
        return hasAgent;
    }

    /** Data of the calling thread, for the other methods. */
    static Object[] here() {
        return HERE.get();
    }

    /** The cell of the thread; null if it works in no span that is seen. */
    static ByteBuffer cell(Object[] here) {
        return (ByteBuffer) here[CELL];
    }

    static long traceHigh(ByteBuffer cell) {
        return cell.getLong(TRACE_HIGH);
    }

    static long traceLow(ByteBuffer cell) {
        return cell.getLong(TRACE_LOW);
    }

    static long span(ByteBuffer cell) {
        return cell.getLong(SPAN);
    }

    /**
     * The OpenTelemetry context of that span. As with labels, a thread without one holds no object of the application.
     */
    static Object context(Object[] here) {
        return here[CONTEXT];
    }

    static void setContext(Object[] here, Object context) {
        here[CONTEXT] = context;
    }

    /** A buffer for the digits of a trace id. */
    static ByteBuffer digits(Object[] here) {
        Object known = here[DIGITS];
        if (known == null) here[DIGITS] = known = ByteBuffer.wrap(new byte[32]);
        return (ByteBuffer) known;
    }

    /**
     * All zero: no span. A sample that interrupts the writes finds a last word that does not match the others, in any
     * order of the writes.
     */
    static void set(Object[] here, long traceHigh, long traceLow, long span) {
        ByteBuffer cell = cell(here);
        boolean isNone = (traceHigh | traceLow | span) == 0;
        if (cell == null && !isNone) cell = join(here);
        if (cell == null) return;
        cell.putLong(TRACE_HIGH, traceHigh);
        cell.putLong(TRACE_LOW, traceLow);
        cell.putLong(SPAN, span);
        cell.putLong(CHECK, (traceHigh * 31 + traceLow) * 31 + span);
        if (ThreadRecord.publishes && here[IS_VIRTUAL] != Boolean.TRUE) ThreadRecord.setSpan(traceHigh, traceLow, span);
        if (isNone && here[IS_VIRTUAL] == Boolean.TRUE) leave(here);
    }

    /** The span of the calling thread is unknown; it counts as in none. {@code here} may be null. */
    static void fail(Object[] here) {
        try {
            Object[] known = here == null ? here() : here;
            setContext(known, null);
            set(known, 0, 0, 0);
            if (hasAgent) fail0();
        } catch (Throwable again) { // stack overflow: the next change sets the cell
        }
    }

    /** The reason why no span is seen, which the agent adds to each profile; null: spans are seen. */
    static void reportTrouble(String text) {
        trouble = text;
        reportTrouble();
    }

    // The agent calls it, too, if it is loaded after this class.
    private static void reportTrouble() {
        if (!hasAgent) return;
        try {
            reportTrouble0(trouble);
        } catch (UnsatisfiedLinkError ofAnotherClassLoader) {
            hasAgent = false;
        }
    }

    // Like ThreadLabels.join().
    private static ByteBuffer join(Object[] here) {
        if (!hasAgent || here[IS_NOT_SEEN] != null) return null;
        boolean isVirtual = ThreadLabels.isVirtual(Thread.currentThread());
        here[IS_VIRTUAL] = isVirtual;
        try {
            ByteBuffer made = isVirtual ? virtualCell0(ThreadLabels.number()) : cell0();
            if (made == null) here[IS_NOT_SEEN] = Boolean.TRUE;
            else here[CELL] = made.order(ByteOrder.nativeOrder());
        } catch (UnsatisfiedLinkError ofAnotherClassLoader) {
            hasAgent = false;
        }
        return cell(here);
    }

    // In this order: if the stack overflows in between, the cell is still known.
    private static void leave(Object[] here) {
        giveBack0(ThreadLabels.number());
        here[CELL] = null;
    }

    private static native ByteBuffer cell0();

    private static native ByteBuffer virtualCell0(long thread);

    private static native void giveBack0(long thread);

    private static native void fail0();

    private static native void reportTrouble0(String text);
}
