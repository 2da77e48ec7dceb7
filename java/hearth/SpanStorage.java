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
        SpanScope scope = new SpanScope(storage, ThreadSpan.cell(here)); // before anything changes: it may find no memory
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
        if (trace.length() == 32 && own.length() == 16) {
            ThreadSpan.set(here, number(trace, 0), number(trace, 16), number(own, 0));
        } else {
            ThreadSpan.set(here, 0, 0, 0);
        }
    }

    // Of sixteen hexadecimal digits: of letters the bit above the lower six is set.
    private static long number(String digits, int from) {
        long number = 0;
        for (int i = from; i < from + 16; i++) {
            char digit = digits.charAt(i);
            number = number << 4 | (digit & 15) + (digit >> 6) * 9;
        }
        return number;
    }

    private static final class SpanScope implements Scope {
        private final ContextStorage storage;
        private final Context outer;
        // The span of that.
        private final long traceHigh;
        private final long traceLow;
        private final long span;
        private final boolean isKnown;
        private Scope attached;

        SpanScope(ContextStorage storage, ByteBuffer cell) {
            this.storage = storage;
            outer = storage.current();
            isKnown = cell != null || outer == null;
            traceHigh = cell == null ? 0 : ThreadSpan.traceHigh(cell);
            traceLow = cell == null ? 0 : ThreadSpan.traceLow(cell);
            span = cell == null ? 0 : ThreadSpan.span(cell);
        }

        // Scopes may be closed out of their order, twice or elsewhere: what counts is what is current then.
        @Override
        public void close() {
            attached.close();
            Context now = storage.current();
            Object[] here = ThreadSpan.here();
            if (isKnown && now == outer) ThreadSpan.set(here, traceHigh, traceLow, span);
            else tell(here, now);
        }
    }
}
