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
    private static final String BY_AGENT = "hearth.opentelemetry.agent"; // a system property: its classes are others than these
    private static boolean isInstalled;

    private OpenTelemetryLabels() {}

    /**
     * For the whole process, and before OpenTelemetry's context is used for the first time. Once more does nothing, and neither
     * where hearth.jar is an extension of OpenTelemetry's Java agent.
     *
     * @throws IllegalStateException when the context has been used, OpenTelemetry is not there, or its Java agent is, which
     *     makes the spans then, and hearth.jar is no extension of it
     */
    public static synchronized void install() {
        if (isInstalled || System.getProperty(BY_AGENT) != null) return;
        String refusal;
        try {
            refusal = Wrapper.install();
        } catch (LinkageError missing) { // no cause of what is thrown: Clojure's REPL would show that instead
            refusal = "OpenTelemetry is not on the class path: put io.opentelemetry:opentelemetry-api there (" + missing + ")";
        }
        if (refusal != null) throw new IllegalStateException(refusal);
        isInstalled = true;
    }

    /** Where OpenTelemetry configures itself. In its Java agent its classes have other names. */
    static void installByConfiguration() {
        install();
        if (ContextStorage.class.getName().startsWith("io.opentelemetry.javaagent.")) System.setProperty(BY_AGENT, "true");
    }

    // Of its own: this class can be loaded without OpenTelemetry.
    private static final class Wrapper implements Function<ContextStorage, ContextStorage> {
        private String refusal = "OpenTelemetry's context has been used before: call OpenTelemetryLabels.install() first, in main";

        @Override
        public ContextStorage apply(ContextStorage storage) {
            boolean isOfAgent = storage.getClass().getName().startsWith("io.opentelemetry.javaagent.instrumentation.");
            refusal = isOfAgent ? "OpenTelemetry's Java agent makes the spans: start the JVM with -Dotel.javaagent.extensions=hearth.jar" : null;
            return isOfAgent ? storage : new SpanStorage(storage);
        }

        // Wrappers that come too late are passed over without a word.
        static String install() {
            Wrapper wrapper = new Wrapper();
            ContextStorage.addWrapper(wrapper);
            ContextStorage.get();
            return wrapper.refusal;
        }
    }
}
