package hearth;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.ContextStorage;
import io.opentelemetry.context.Scope;
import java.nio.ByteBuffer;

/**
 * OpenTelemetry's storage of contexts, which also reports the span of the new current context to the agent. Failures to
 * do so are counted and never thrown: to the application it behaves as the storage that it wraps.
 */
final class SpanStorage implements ContextStorage {
    private final ContextStorage storage;

    SpanStorage(ContextStorage storage) {
        this.storage = storage;
    }

    @Override
    public Scope attach(Context context) {
        SpanScope scope = context == null || !ThreadSpan.hasAgent() ? null : scopeFor(context);
        Scope attached = storage.attach(context);
        if (scope == null) return attached;
        scope.attached = attached;
        publish(scope.here, context);
        return scope;
    }

    // Called before anything changes. Null if nothing will change, or without memory or stack.
    private SpanScope scopeFor(Context context) {
        Object[] here = null;
        try {
            here = ThreadSpan.here();
            boolean isCurrent = ThreadSpan.context(here) == context && storage.current() == context;
            return isCurrent ? null : new SpanScope(storage, here);
        } catch (Throwable error) {
            ThreadSpan.fail(here);
            return null;
        }
    }

    @Override
    public Context current() {
        return storage.current();
    }

    @Override
    public Context root() {
        return storage.root();
    }

    // Contexts and spans may be of any implementation, which may throw anything.
    private static void publish(Object[] here, Context context) {
        try {
            put(here, context);
        } catch (Throwable error) {
            ThreadSpan.fail(here);
        }
    }

    private static void put(Object[] here, Context context) {
        Span span = Span.fromContextOrNull(context);
        SpanContext ids = span == null ? null : span.getSpanContext();
        String trace = ids == null ? null : ids.getTraceId(), own = ids == null ? null : ids.getSpanId();
        ThreadSpan.setContext(here, context);
        if (trace != null && own != null && trace.length() == 32 && own.length() == 16) {
            ByteBuffer digits = put(trace, ThreadSpan.digits(here));
            long high = number(digits, 0), low = number(digits, 16);
            ThreadSpan.set(here, high, low, number(put(own, digits), 0));
        } else {
            ThreadSpan.set(here, 0, 0, 0);
        }
    }

    @SuppressWarnings("deprecation") // the only way without a copy; correct for hexadecimal digits
    private static ByteBuffer put(String text, ByteBuffer digits) {
        text.getBytes(0, text.length(), digits.array(), 0);
        return digits;
    }

    // Parses sixteen hexadecimal digits.
    private static long number(ByteBuffer digits, int from) {
        return half(digits.getLong(from)) << 32 | half(digits.getLong(from + 8));
    }

    // Parses eight digits, one per byte, in parallel: letters, unlike 0 to 9, have the bit above the lower six set.
    private static long half(long digits) {
        long number = (digits & 0x0F0F0F0F0F0F0F0FL) + (digits >>> 6 & 0x0101010101010101L) * 9;
        number = (number | number >>> 4) & 0x00FF00FF00FF00FFL;
        number = (number | number >>> 8) & 0x0000FFFF0000FFFFL;
        return (number | number >>> 16) & 0xFFFFFFFFL;
    }

    private static final class SpanScope implements Scope {
        private final ContextStorage storage;
        private final Thread thread;
        private final Object[] here; // data of that thread
        private final Object outer;
        // Ids of the span of the outer context.
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

        // Scopes may be closed out of order, twice or on another thread: the context that is then current decides.
        @Override
        public void close() {
            attached.close();
            try {
                leave();
            } catch (Throwable error) { // some storages throw if they have no context for the thread
                ThreadSpan.fail(Thread.currentThread() == thread ? here : null);
            }
        }

        private void leave() {
            Context now = storage.current();
            boolean isHere = Thread.currentThread() == thread;
            if (!isHere || now != outer) {
                publish(isHere ? here : ThreadSpan.here(), now);
                return;
            }
            ThreadSpan.setContext(here, outer);
            ThreadSpan.set(here, traceHigh, traceLow, span);
        }
    }
}
