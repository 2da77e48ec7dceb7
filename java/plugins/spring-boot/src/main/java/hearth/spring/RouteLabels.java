package hearth.spring;

import hearth.Labels;
import java.util.Set;

/** Labels of requests: the method and the pattern of the route, such as {@code GET /orders/{id}}. Thread safe. */
final class RouteLabels {
    // Clients can invent others, and each value of a label is kept.
    private static final Set<String> METHODS = Set.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE");

    private final String key;

    /** Throws IllegalArgumentException if the key is not allowed. */
    RouteLabels(String key) {
        Labels.of(key, "");
        this.key = key;
    }

    /** No labels without a pattern. */
    Labels of(String method, Object pattern) {
        if (pattern == null) return Labels.none();
        return Labels.of(key, (METHODS.contains(method) ? method : "(other)") + " " + pattern);
    }
}
