package hearth;

import io.opentelemetry.sdk.autoconfigure.spi.AutoConfigurationCustomizer;
import io.opentelemetry.sdk.autoconfigure.spi.AutoConfigurationCustomizerProvider;
import java.util.logging.Logger;

/**
 * {@link OpenTelemetryLabels} where OpenTelemetry configures itself, which looks for such classes: in its Java agent, of which
 * hearth.jar is an extension ({@code -Dotel.javaagent.extensions=hearth.jar}), and by its autoconfiguration.
 */
public final class OpenTelemetryExtension implements AutoConfigurationCustomizerProvider {
    @Override
    public void customize(AutoConfigurationCustomizer configuration) {
        try {
            OpenTelemetryLabels.installByConfiguration();
        } catch (IllegalStateException refused) { // it goes on without
            Logger.getLogger("hearth").warning("samples have no trace_id and span_id: " + refused.getMessage());
        }
    }
}
