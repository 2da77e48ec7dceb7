package io.opentelemetry.context;

public interface ContextStorageProvider {
    ContextStorage get();
}
