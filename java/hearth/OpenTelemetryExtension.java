package hearth;

import io.opentelemetry.sdk.autoconfigure.spi.AutoConfigurationCustomizer;
import io.opentelemetry.sdk.autoconfigure.spi.AutoConfigurationCustomizerProvider;

/**
 * {@link OpenTelemetryLabels} where OpenTelemetry configures itself, which looks for such classes: in its Java agent, of which
 * hearth.jar is an extension ({@code -Dotel.javaagent.extensions=hearth.jar}), and by its autoconfiguration. Not with the system
 * property {@code otel.instrumentation.hearth.enabled=false}, or the environment's {@code OTEL_INSTRUMENTATION_HEARTH_ENABLED}.
 */
public final class OpenTelemetryExtension implements AutoConfigurationCustomizerProvider {
    @Override
    public void customize(AutoConfigurationCustomizer configuration) {
        if (isOff()) return;
        try {
            OpenTelemetryLabels.installByConfiguration();
        } catch (IllegalStateException refused) { // it goes on without
            OpenTelemetryLabels.warn("samples have no trace_id and span_id: " + refused.getMessage());
        }
    }

    // As OpenTelemetry's agent turns off other instrumentation.
    private static boolean isOff() {
        String told = System.getProperty("otel.instrumentation.hearth.enabled", System.getenv("OTEL_INSTRUMENTATION_HEARTH_ENABLED"));
        return "false".equalsIgnoreCase(told);
    }
}
