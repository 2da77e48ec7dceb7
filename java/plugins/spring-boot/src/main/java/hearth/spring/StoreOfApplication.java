package hearth.spring;

import hearth.Profiler;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.InitializingBean;

/**
 * The always-on store of {@code hearth.store}, from the start of the application to its end. A wrong property ends the
 * start, with the agent's words; where the JVM cannot be profiled, the application runs without a store, and a warning
 * has the reason.
 */
final class StoreOfApplication implements InitializingBean, DisposableBean {
    private static final Log LOG = LogFactory.getLog(StoreOfApplication.class);

    private final HearthProperties properties;
    private final Service service;
    private boolean runs;

    StoreOfApplication(HearthProperties properties, Service service) {
        this.properties = properties;
        this.service = service;
    }

    @Override
    public void afterPropertiesSet() {
        try {
            Profiler.here().execute(command());
            runs = true;
        } catch (IllegalStateException unable) {
            LOG.warn("hearth keeps no profiles in " + properties.getStore() + ": " + unable.getMessage());
        }
    }

    @Override
    public void destroy() {
        if (!runs) return;
        try {
            Profiler.here().execute("stop,store");
        } catch (IllegalStateException stopped) {
            LOG.debug("hearth's store has ended before", stopped);
        }
    }

    String command() {
        AgentCommand command = new AgentCommand("start").with("store", properties.getStore()).with("window", properties.getWindow())
            .with("keep", properties.getKeep()).with("budget", properties.getBudget());
        if (properties.getPush().isEmpty()) return command.toString();
        return command.with("push", properties.getPush()).with("push-labels", pushLabels()).with("push-token", properties.getPushToken())
            .with("push-credentials", properties.getPushCredentials()).with("push-tenant", properties.getPushTenant()).toString();
    }

    private String pushLabels() {
        StringBuilder labels = new StringBuilder();
        if (!service.name().isEmpty()) labels.append("service:").append(service.name());
        properties.getPushLabels().forEach((key, value) -> labels.append(labels.isEmpty() ? "" : ";").append(key).append(':').append(value));
        return labels.toString();
    }
}
