package io.opentelemetry.context;

import java.util.function.Function;

public interface ContextStorage {
    static ContextStorage defaultStorage() {
        throw new UnsupportedOperationException();
    }

    static void addWrapper(Function<? super ContextStorage, ? extends ContextStorage> wrapper) {}

    Scope attach(Context toAttach);

    Context current();

    default Context root() {
        throw new UnsupportedOperationException();
    }
}
