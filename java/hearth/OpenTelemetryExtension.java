package hearth;

import io.opentelemetry.sdk.autoconfigure.spi.AutoConfigurationCustomizer;
import io.opentelemetry.sdk.autoconfigure.spi.AutoConfigurationCustomizerProvider;

/**
 * Installs {@link OpenTelemetryLabels} where OpenTelemetry configures itself and looks for such classes: in its Java
 * agent, of which hearth.jar is an extension ({@code -Dotel.javaagent.extensions=hearth.jar}), and in its
 * autoconfiguration. Disabled by the system property {@code otel.instrumentation.hearth.enabled=false} or by {@code
 * OTEL_INSTRUMENTATION_HEARTH_ENABLED} in the environment.
 */
public final class OpenTelemetryExtension implements AutoConfigurationCustomizerProvider {
    @Override
    public void customize(AutoConfigurationCustomizer configuration) {
        if (isOff()) return;
        try {
            OpenTelemetryLabels.installByConfiguration();
        } catch (IllegalStateException refused) { // the application runs without these labels
            OpenTelemetryLabels.warn("samples have no trace_id and span_id: " + refused.getMessage());
        }
    }

    // The same switch as for instrumentation of OpenTelemetry's agent.
    private static boolean isOff() {
        String setting = System.getProperty("otel.instrumentation.hearth.enabled", System.getenv("OTEL_INSTRUMENTATION_HEARTH_ENABLED"));
        return "false".equalsIgnoreCase(setting);
    }
}
