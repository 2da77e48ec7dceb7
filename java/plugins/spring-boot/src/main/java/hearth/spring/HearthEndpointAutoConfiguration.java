package hearth.spring;

import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;

/** The endpoint, if {@code management.endpoints.web.exposure.include} names it. */
@AutoConfiguration(after = HearthAutoConfiguration.class)
@ConditionalOnClass({WebEndpoint.class, ConditionalOnAvailableEndpoint.class})
@ConditionalOnProperty(prefix = "hearth", name = "enabled", matchIfMissing = true)
public class HearthEndpointAutoConfiguration {
    @Bean
    @ConditionalOnAvailableEndpoint(endpoint = HearthEndpoint.class)
    HearthEndpoint hearthEndpoint(HearthProperties properties, Service service) {
        return new HearthEndpoint(properties.getLongestProfile(), service);
    }
}
