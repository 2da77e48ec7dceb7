package hearth.spring;

import io.micrometer.context.ContextRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.web.reactive.DispatcherHandler;
import org.springframework.web.reactive.HandlerMapping;
import org.springframework.web.reactive.function.server.support.RouterFunctionMapping;
import org.springframework.web.reactive.result.method.annotation.RequestMappingHandlerMapping;

/** Labels of routes in WebFlux. */
@AutoConfiguration(after = HearthAutoConfiguration.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
@ConditionalOnClass(DispatcherHandler.class)
@ConditionalOnProperty(prefix = "hearth", name = {"enabled", "routes.enabled"}, matchIfMissing = true)
public class HearthWebFluxAutoConfiguration {
    @Bean
    RouteFilter hearthRoutes(HearthProperties properties, ObjectProvider<HandlerMapping> mappings) {
        // Those that have routes, in the dispatcher's order; at the first request, as they may need beans that are made later.
        return new RouteFilter(new RouteLabels(properties.getRoutes().getLabel()), SingletonSupplier.of(() -> mappings.orderedStream()
            .filter(mapping -> mapping instanceof RequestMappingHandlerMapping || mapping instanceof RouterFunctionMapping).toList()));
    }

    /** With context-propagation on the class path, Reactor carries labels from thread to thread. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(ContextRegistry.class)
    static class Propagation {
        @Bean
        LabelsAccessor hearthLabels() {
            LabelsAccessor accessor = new LabelsAccessor();
            ContextRegistry.getInstance().registerThreadLocalAccessor(accessor);
            return accessor;
        }
    }
}
