package hearth;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.ContextStorage;
import io.opentelemetry.context.Scope;
import java.nio.ByteBuffer;

/** OpenTelemetry's storage of contexts, which beside tells the agent the span of the one that becomes current. */
final class SpanStorage implements ContextStorage {
    private final ContextStorage storage;

    SpanStorage(ContextStorage storage) {
        this.storage = storage;
    }

    @Override
    public Scope attach(Context context) {
        if (!ThreadSpan.hasAgent() || context == null) return storage.attach(context);
        Object[] here = ThreadSpan.here();
        SpanScope scope = new SpanScope(storage, here); // before anything changes: it may find no memory
        scope.attached = storage.attach(context);
        try {
            tell(here, context);
        } catch (Throwable error) { // no memory, or no stack left
            scope.attached.close();
            throw error;
        }
        return scope;
    }

    @Override
    public Context current() {
        return storage.current();
    }

    @Override
    public Context root() {
        return storage.root();
    }

    private static void tell(Object[] here, Context context) {
        Span span = Span.fromContextOrNull(context);
        SpanContext ids = span == null ? null : span.getSpanContext();
        String trace = ids == null ? "" : ids.getTraceId(), own = ids == null ? "" : ids.getSpanId();
        ThreadSpan.setContext(here, context);
        if (trace.length() == 32 && own.length() == 16) {
            ByteBuffer digits = put(trace, ThreadSpan.digits(here));
            long high = number(digits, 0), low = number(digits, 16);
            ThreadSpan.set(here, high, low, number(put(own, digits), 0));
        } else {
            ThreadSpan.set(here, 0, 0, 0);
        }
    }

    @SuppressWarnings("deprecation") // the only way that makes no copy; of hexadecimal digits it is right
    private static ByteBuffer put(String text, ByteBuffer digits) {
        text.getBytes(0, text.length(), digits.array(), 0);
        return digits;
    }

    // Of sixteen hexadecimal digits.
    private static long number(ByteBuffer digits, int from) {
        return half(digits.getLong(from)) << 32 | half(digits.getLong(from + 8));
    }

    // Of eight, a byte each, all at a time: of letters, and not of 0 to 9, the bit above the lower six is set.
    private static long half(long digits) {
        long number = (digits & 0x0F0F0F0F0F0F0F0FL) + (digits >>> 6 & 0x0101010101010101L) * 9;
        number = (number | number >>> 4) & 0x00FF00FF00FF00FFL;
        number = (number | number >>> 8) & 0x0000FFFF0000FFFFL;
        return (number | number >>> 16) & 0xFFFFFFFFL;
    }

    private static final class SpanScope implements Scope {
        private final ContextStorage storage;
        private final Thread thread;
        private final Object[] here; // of that
        private final Object outer;
        // The span of that context.
        private final long traceHigh;
        private final long traceLow;
        private final long span;
        private Scope attached;

        SpanScope(ContextStorage storage, Object[] here) {
            this.storage = storage;
            this.here = here;
            thread = Thread.currentThread();
            outer = ThreadSpan.context(here);
            ByteBuffer cell = ThreadSpan.cell(here);
            traceHigh = cell == null ? 0 : ThreadSpan.traceHigh(cell);
            traceLow = cell == null ? 0 : ThreadSpan.traceLow(cell);
            span = cell == null ? 0 : ThreadSpan.span(cell);
        }

        // Scopes may be closed out of their order, twice or elsewhere: what counts is what is current then.
        @Override
        public void close() {
            attached.close();
            Context now = storage.current();
            boolean isHere = Thread.currentThread() == thread;
            if (!isHere || now != outer) {
                tell(isHere ? here : ThreadSpan.here(), now);
                return;
            }
            ThreadSpan.setContext(here, outer);
            ThreadSpan.set(here, traceHigh, traceLow, span);
        }
    }
}
