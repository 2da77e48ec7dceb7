package hearth.spring;

import hearth.Labels;
import io.micrometer.context.ThreadLocalAccessor;

/** The labels of a thread, for Micrometer's context propagation: Reactor sets and resets them where it changes threads. */
final class LabelsAccessor implements ThreadLocalAccessor<Labels> {
    static final String KEY = "hearth.labels"; // also in the context of Reactor

    @Override
    public Object key() {
        return KEY;
    }

    /** Null without labels. */
    @Override
    public Labels getValue() {
        Labels labels = Labels.current();
        return labels.asMap().isEmpty() ? null : labels;
    }

    // Scopes are not closed: whoever sets a value restores the one before.
    @Override
    @SuppressWarnings("resource")
    public void setValue(Labels labels) {
        labels.openAlone();
    }

    @Override
    public void setValue() {
        setValue(Labels.none());
    }
}
