import com.sun.management.ThreadMXBean;
import hearth.OpenTelemetryLabels;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.ContextStorage;
import io.opentelemetry.context.Scope;
import java.lang.management.ManagementFactory;

/**
 * The cost of span ids in samples: prints "ready", and for each line prints "NAME PICOSECONDS BYTES" of making a
 * span current and ending that, by OpenTelemetry's own storage of contexts and with hearth's added; an empty line ends it.
 */
public class SpanCost {
    private static final ThreadMXBean COUNTER = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int TIMES = 2_000_000, ROUNDS = 5;
    private static final Context[] CONTEXTS = new Context[64];
    private static long runs;

    private static void measure(String name, ContextStorage storage) {
        long best = Long.MAX_VALUE, bytes = COUNTER.getThreadAllocatedBytes(Thread.currentThread().getId());
        for (int round = 0; round < ROUNDS; round++) {
            long began = COUNTER.getCurrentThreadCpuTime();
            for (int i = 0; i < TIMES; i++) {
                try (Scope scope = storage.attach(CONTEXTS[i & 63])) {
                    runs++;
                }
            }
            best = Math.min(best, COUNTER.getCurrentThreadCpuTime() - began);
        }
        bytes = COUNTER.getThreadAllocatedBytes(Thread.currentThread().getId()) - bytes;
        System.out.println(name + " " + best * 1000 / TIMES + " " + bytes / TIMES / ROUNDS);
    }

    private static void measure() {
        measure("without", ContextStorage.defaultStorage());
        measure("with", ContextStorage.get());
    }

    private static Context context(int number) {
        String trace = String.format("%032x", number * 0x9E3779B97F4A7C15L), span = String.format("%016x", number * 0xD6E8FEB86659FD93L);
        return Context.root().with(Span.wrap(SpanContext.create(trace, span, TraceFlags.getSampled(), TraceState.getDefault())));
    }

    public static void main(String[] args) throws Exception {
        OpenTelemetryLabels.install();
        for (int i = 0; i < CONTEXTS.length; i++) CONTEXTS[i] = context(i + 1);
        measure();
        System.out.println("ready");
        java.io.BufferedReader lines = new java.io.BufferedReader(new java.io.InputStreamReader(System.in));
        while (!"".equals(lines.readLine())) measure();
    }
}
