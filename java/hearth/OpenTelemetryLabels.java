package hearth;

import io.opentelemetry.context.ContextStorage;
import io.opentelemetry.context.ContextStorageProvider;
import java.util.ServiceLoader;
import java.util.function.Function;
import java.util.logging.Logger;

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
 * is loaded later, spans that become current from then on are seen. A session keeps the ids of its first 65,534 spans that are
 * sampled; those of further ones are {@code (other)}. Virtual threads as of {@link Labels}.
 */
public final class OpenTelemetryLabels {
    private static final String BY_AGENT = "hearth.opentelemetry.agent"; // a system property: its classes are others than these
    private static final String OF_AGENT = "io.opentelemetry.javaagent.";
    private static boolean isInstalled;

    private OpenTelemetryLabels() {}

    /**
     * For the whole process, and before OpenTelemetry's context is used for the first time: profiles say so where it came too late.
     * Other wrappers of the context's storage may come after this one. Once more does nothing, and neither where hearth.jar is an
     * extension of OpenTelemetry's Java agent.
     *
     * @throws IllegalStateException when OpenTelemetry is not there, or its Java agent is, which makes the spans then, and hearth.jar
     *     is no extension of it
     */
    public static synchronized void install() {
        if (isInstalled || System.getProperty(BY_AGENT) != null) return;
        try {
            Wrapper.install();
        } catch (LinkageError missing) { // no cause of what is thrown: Clojure's REPL would show that instead
            throw new IllegalStateException("OpenTelemetry is not on the class path: put io.opentelemetry:opentelemetry-api there (" + missing + ")");
        }
        isInstalled = true;
    }

    /** Where OpenTelemetry configures itself. In its Java agent its classes have other names. */
    static void installByConfiguration() {
        install();
        if (Wrapper.isInAgent()) System.setProperty(BY_AGENT, "true");
    }

    static void warn(String text) {
        Logger.getLogger("hearth").warning(text);
    }

    // Of its own: this class can be loaded without OpenTelemetry.
    private static final class Wrapper implements Function<ContextStorage, ContextStorage> {
        // As the storage is made, which must not fail.
        @Override
        public ContextStorage apply(ContextStorage storage) {
            try {
                String trouble = isForeign(storage)
                    ? "no sample has trace_id and span_id: OpenTelemetry's context is kept by " + storage.getClass().getName()
                        + ", which is not always that of the thread; -Dio.opentelemetry.context.contextStorageProvider=default is"
                    : null;
                ThreadSpan.tellTrouble(trouble);
                if (trouble == null) return new SpanStorage(storage);
                warn(trouble);
            } catch (Throwable error) {
                ThreadSpan.fail(null);
            }
            return storage;
        }

        // A wrapper that came too late is passed over without a word, and asking for the storage would keep out those of others.
        static void install() {
            if (isBesideAgent())
                throw new IllegalStateException("OpenTelemetry's Java agent makes the spans: start the JVM with -Dotel.javaagent.extensions=hearth.jar");
            ThreadSpan.tellTrouble("no sample has trace_id and span_id: no span became current since OpenTelemetryLabels.install(), or"
                + " OpenTelemetry's context was used before: call it first, in main");
            ContextStorage.addWrapper(new Wrapper());
        }

        static boolean isInAgent() {
            return ContextStorage.class.getName().startsWith(OF_AGENT);
        }

        private static boolean isBesideAgent() {
            if (isInAgent()) return false;
            try {
                Class.forName(OF_AGENT + "bootstrap.AgentInitializer", false, null); // which only the agent brings there
                return true;
            } catch (ClassNotFoundException none) {
                return false;
            }
        }

        // Frameworks with an event loop keep the context of what they dispatch, and change it without attaching another.
        private static boolean isForeign(ContextStorage storage) {
            return storage != ContextStorage.defaultStorage() && ServiceLoader.load(ContextStorageProvider.class).iterator().hasNext()
                && !"default".equals(System.getProperty("io.opentelemetry.context.contextStorageProvider"));
        }
    }
}
