package hearth;

import io.opentelemetry.context.ContextStorage;
import io.opentelemetry.context.ContextStorageProvider;
import java.util.ServiceLoader;
import java.util.function.Function;
import java.util.logging.Logger;

/**
 * Labels samples that are taken while a span of OpenTelemetry is current (CPU, wall clock, allocations, locks) with
 * {@code trace_id} and {@code span_id}:
 *
 * <pre>{@code
 * public static void main(String[] args) {
 *     OpenTelemetryLabels.install(); // first of all
 * }</pre>
 *
 * <p>The labels follow OpenTelemetry's context, to other threads as well, through its own wrappers. Without the agent
 * nothing happens. If it is loaded later, spans that become current from then on are seen. A session keeps the ids of
 * its first 65,534 sampled spans; further ones are {@code (other)}. For virtual threads see {@link Labels}.
 */
public final class OpenTelemetryLabels {
    private static final String BY_AGENT = "hearth.opentelemetry.agent"; // a system property, since the agent loads its own copy of these classes
    private static final String OF_AGENT = "io.opentelemetry.javaagent.";
    private static boolean isInstalled;

    private OpenTelemetryLabels() {}

    /**
     * Installs the labels for the whole process. Call it before OpenTelemetry's context is used for the first time:
     * profiles have a note if it came too late. Other wrappers of the context's storage may be added after it. A second
     * call does nothing, and neither does a call where hearth.jar is an extension of OpenTelemetry's Java agent.
     *
     * @throws IllegalStateException when OpenTelemetry is missing, or when its Java agent is present, which then makes
     * the spans, and hearth.jar is not an extension of it
     */
    public static synchronized void install() {
        if (isInstalled || System.getProperty(BY_AGENT) != null) return;
        try {
            Wrapper.install();
        } catch (LinkageError missing) { // not the cause of the exception: Clojure's REPL would show it instead
            throw new IllegalStateException("OpenTelemetry is not on the class path: put io.opentelemetry:opentelemetry-api there (" + missing + ")");
        }
        isInstalled = true;
    }

    /** Installs the labels where OpenTelemetry configures itself. In its Java agent its classes have other names. */
    static void installByConfiguration() {
        install();
        if (Wrapper.isInAgent()) System.setProperty(BY_AGENT, "true");
    }

    static void warn(String text) {
        Logger.getLogger("hearth").warning(text);
    }

    // A class of its own, so that the outer one can be loaded without OpenTelemetry.
    private static final class Wrapper implements Function<ContextStorage, ContextStorage> {
        // Called while the storage is created, which must not fail.
        @Override
        public ContextStorage apply(ContextStorage storage) {
            try {
                String trouble = isForeign(storage)
                    ? "no sample has trace_id and span_id: OpenTelemetry's context is kept by " + storage.getClass().getName()
                        + ", which does not always follow the thread; use -Dio.opentelemetry.context.contextStorageProvider=default"
                    : null;
                ThreadSpan.reportTrouble(trouble);
                if (trouble == null) return new SpanStorage(storage);
                warn(trouble);
            } catch (Throwable error) {
                ThreadSpan.fail(null);
            }
            return storage;
        }

        // OpenTelemetry ignores a late wrapper silently, and asking for the storage would lock out wrappers of others.
        static void install() {
            if (isBesideAgent())
                throw new IllegalStateException("OpenTelemetry's Java agent makes the spans: start the JVM with -Dotel.javaagent.extensions=hearth.jar");
            ThreadSpan.reportTrouble("no sample has trace_id and span_id: no span became current since OpenTelemetryLabels.install(), or"
                + " OpenTelemetry's context was used before: call it first, in main");
            ContextStorage.addWrapper(new Wrapper());
        }

        static boolean isInAgent() {
            return ContextStorage.class.getName().startsWith(OF_AGENT);
        }

        private static boolean isBesideAgent() {
            if (isInAgent()) return false;
            try {
                Class.forName(OF_AGENT + "bootstrap.AgentInitializer", false, null); // a class that only the agent adds to the boot class path
                return true;
            } catch (ClassNotFoundException none) {
                return false;
            }
        }

        // Frameworks with an event loop keep the context of the dispatched event, and change it without attaching
        // another one.
        private static boolean isForeign(ContextStorage storage) {
            return storage != ContextStorage.defaultStorage() && ServiceLoader.load(ContextStorageProvider.class).iterator().hasNext()
                && !"default".equals(System.getProperty("io.opentelemetry.context.contextStorageProvider"));
        }
    }
}
