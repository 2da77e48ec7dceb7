package hearth.spring;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/** The properties and the always-on store. Loads no agent unless there is a store. */
@AutoConfiguration
@ConditionalOnProperty(prefix = "hearth", name = "enabled", matchIfMissing = true)
@EnableConfigurationProperties(HearthProperties.class)
public class HearthAutoConfiguration {
    @Bean
    Service hearthService(HearthProperties properties, Environment environment) {
        return Service.of(properties, environment);
    }

    @Bean
    @ConditionalOnProperty(prefix = "hearth", name = "store")
    StoreOfApplication hearthStore(HearthProperties properties, Service service) {
        return new StoreOfApplication(properties, service);
    }
}
