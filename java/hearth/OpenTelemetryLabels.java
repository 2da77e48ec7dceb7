package hearth;

import io.opentelemetry.context.ContextStorage;
import java.util.function.Function;

/**
 * Samples that are taken while a span of OpenTelemetry is current (CPU, wall clock, allocations, locks) have the labels {@code trace_id}
 * and {@code span_id}:
 *
 * <pre>{@code
 * public static void main(String[] args) {
 *     OpenTelemetryLabels.install(); // first of all
 * }</pre>
 *
 * <p>They follow OpenTelemetry's context, to other threads as well, by its own wrappers. Without the agent nothing happens; when it
 * is loaded later, spans that become current from then on are seen. A session, or a window of the always-on store, keeps the
 * ids of 65,534 spans; those of further ones are {@code (other)}. Virtual threads as of {@link Labels}.
 */
public final class OpenTelemetryLabels {
    private static boolean isInstalled;

    private OpenTelemetryLabels() {}

    /**
     * For the whole process, and before OpenTelemetry's context is used for the first time. Once more does nothing.
     *
     * @throws IllegalStateException when the context has been used, or OpenTelemetry is not there
     */
    public static synchronized void install() {
        if (isInstalled) return;
        try {
            isInstalled = Storages.wrap();
        } catch (LinkageError missing) { // no cause of what is thrown: Clojure's REPL would show that instead
            throw new IllegalStateException("OpenTelemetry is not on the class path: put io.opentelemetry:opentelemetry-api there (" + missing + ")");
        }
        if (isInstalled) return;
        throw new IllegalStateException("OpenTelemetry's context has been used before: call OpenTelemetryLabels.install() first, in main");
    }

    // Of its own: this class can be loaded without OpenTelemetry.
    private static final class Storages implements Function<ContextStorage, ContextStorage> {
        private boolean hasWrapped;

        @Override
        public ContextStorage apply(ContextStorage storage) {
            hasWrapped = true;
            return new SpanStorage(storage);
        }

        // Wrappers that come too late are passed over without a word.
        static boolean wrap() {
            Storages storages = new Storages();
            ContextStorage.addWrapper(storages);
            ContextStorage.get();
            return storages.hasWrapped;
        }
    }
}
