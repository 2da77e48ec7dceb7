package hearth.spring;

import hearth.Labels;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.springframework.core.Ordered;
import org.springframework.web.cors.reactive.CorsUtils;
import org.springframework.web.reactive.HandlerMapping;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoOperator;

/**
 * Handles requests of WebFlux under the label of their route. It is the last filter, and asks the mappings for the
 * request's handler before the dispatcher does so again, which takes some microseconds.
 *
 * <p>The thread that subscribes has the label meanwhile. Other threads that work for the request have it where Reactor
 * carries thread locals along: {@code spring.reactor.context-propagation=auto}.
 */
final class RouteFilter implements WebFilter, Ordered {
    private final RouteLabels routes;
    private final Supplier<List<HandlerMapping>> mappings;

    RouteFilter(RouteLabels routes, Supplier<List<HandlerMapping>> mappings) {
        this.routes = routes;
        this.mappings = mappings;
    }

    @Override
    public int getOrder() {
        return LOWEST_PRECEDENCE;
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        if (CorsUtils.isPreFlightRequest(exchange.getRequest())) return chain.filter(exchange); // without a handler
        // A mapping adds to the attributes that an earlier match left, so the dispatcher gets them as they were.
        Map<String, Object> before = new HashMap<>(exchange.getAttributes());
        // A mapping's error is the dispatcher's to report.
        return Flux.fromIterable(mappings.get())
            .concatMap(mapping -> mapping.getHandler(exchange))
            .next()
            .onErrorComplete()
            .then(Mono.defer(() -> {
                Object pattern = exchange.getAttribute(HandlerMapping.BEST_MATCHING_PATTERN_ATTRIBUTE);
                exchange.getAttributes().keySet().retainAll(before.keySet());
                exchange.getAttributes().putAll(before);
                return labelled(routes.of(exchange.getRequest().getMethod().name(), pattern), chain.filter(exchange));
            }));
    }

    private static Mono<Void> labelled(Labels labels, Mono<Void> work) {
        return new Labelled(work, labels).contextWrite(context -> context.put(LabelsAccessor.KEY, labels));
    }

    private static final class Labelled extends MonoOperator<Void, Void> {
        private final Labels labels;

        Labelled(Mono<Void> work, Labels labels) {
            super(work);
            this.labels = labels;
        }

        @Override
        public void subscribe(CoreSubscriber<? super Void> subscriber) {
            Labels.Scope scope = labels.open();
            try {
                source.subscribe(subscriber);
            } finally {
                scope.closeAll();
            }
        }
    }
}
