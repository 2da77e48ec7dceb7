package hearth.spring;

import org.springframework.core.env.Environment;

/** The name of this service: {@code hearth.service}, else {@code spring.application.name}; may be empty. */
record Service(String name) {
    static Service of(HearthProperties properties, Environment environment) {
        String named = properties.getService();
        return new Service(named.isEmpty() ? environment.getProperty("spring.application.name", "") : named);
    }
}
