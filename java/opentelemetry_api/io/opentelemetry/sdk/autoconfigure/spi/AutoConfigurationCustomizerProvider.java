package io.opentelemetry.sdk.autoconfigure.spi;

public interface AutoConfigurationCustomizerProvider {
    void customize(AutoConfigurationCustomizer autoConfiguration);
}
