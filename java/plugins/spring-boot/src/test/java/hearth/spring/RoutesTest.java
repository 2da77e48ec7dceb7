package hearth.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import hearth.Labels;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.function.server.RequestPredicates;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Mono;

class RoutesTest {
    @RestController
    static class Orders {
        @GetMapping("/orders/{id}")
        String one(@PathVariable String id) {
            return Labels.current().toString();
        }

        @PostMapping("/orders")
        String add(@RequestBody String order) {
            return Labels.current().toString();
        }
    }

    @RestController
    static class LaterOrders {
        @GetMapping("/later/{id}")
        Callable<String> later(@PathVariable String id) {
            String here = Labels.current().toString();
            return () -> here + " then " + Labels.current();
        }
    }

    @RestController
    static class ReactiveOrders {
        @GetMapping("/hopping/{id}")
        Mono<String> hopping(@PathVariable String id) {
            return Mono.delay(Duration.ofMillis(10)).map(ignored -> Labels.current().toString());
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Servlets {
        @Bean
        Orders orders() {
            return new Orders();
        }

        @Bean
        LaterOrders later() {
            return new LaterOrders();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Reactive {
        @Bean
        Orders orders() {
            return new Orders();
        }

        @Bean
        ReactiveOrders reactive() {
            return new ReactiveOrders();
        }

        @Bean
        RouterFunction<ServerResponse> function() {
            return RouterFunctions.route(RequestPredicates.GET("/function/{id}"),
                request -> ServerResponse.ok().bodyValue(Labels.current().toString()));
        }
    }

    private static Class<?> configuration(WebApplicationType type) {
        return type == WebApplicationType.SERVLET ? Servlets.class : Reactive.class;
    }

    @ParameterizedTest
    @EnumSource(value = WebApplicationType.class, names = {"SERVLET", "REACTIVE"})
    void areLabelsOfTheirRequests(WebApplicationType type) throws Exception {
        try (Application application = new Application(type, configuration(type))) {
            assertEquals("{endpoint=GET /orders/{id}}", application.get("/orders/1").body());
            assertEquals("{endpoint=GET /orders/{id}}", application.get("/orders/2").body());
            assertEquals(404, application.get("/nothing").statusCode());
            assertEquals(405, application.post("/orders/1", "{}").statusCode());
            if (type == WebApplicationType.REACTIVE) assertEquals("{endpoint=GET /function/{id}}", application.get("/function/1").body());
            else assertEquals("{endpoint=POST /orders}", application.post("/orders", "{}").body());
        }
    }

    @ParameterizedTest
    @EnumSource(value = WebApplicationType.class, names = {"SERVLET", "REACTIVE"})
    void canHaveAnotherKeyOrNone(WebApplicationType type) throws Exception {
        try (Application application = new Application(type, configuration(type), "hearth.routes.label=route")) {
            assertEquals("{route=GET /orders/{id}}", application.get("/orders/1").body());
        }
        for (String off : new String[] {"hearth.routes.enabled=false", "hearth.enabled=false"}) {
            try (Application application = new Application(type, configuration(type), off)) {
                assertEquals("{}", application.get("/orders/1").body());
            }
        }
    }

    @Test
    void areOffOnTheThreadThatWaitsForAnother() throws Exception {
        try (Application application = new Application(WebApplicationType.SERVLET, Servlets.class)) {
            assertEquals("{endpoint=GET /later/{id}} then {}", application.get("/later/1").body());
            assertEquals("{endpoint=GET /orders/{id}}", application.get("/orders/1").body());
        }
    }

    @Test
    void followReactorFromThreadToThreadIfItCarriesThreadLocals() throws Exception {
        String propagation = "spring.reactor.context-propagation=auto";
        try (Application application = new Application(WebApplicationType.REACTIVE, Reactive.class, propagation)) {
            assertEquals("{endpoint=GET /hopping/{id}}", application.get("/hopping/1").body());
            assertEquals("{endpoint=POST /orders}", application.post("/orders", "{}").body());
        } finally {
            Hooks.disableAutomaticContextPropagation();
        }
    }

    @Test
    void knowFewMethodsAndRefuseAKeyThatProfilesUse() {
        RouteLabels routes = new RouteLabels("endpoint");
        assertEquals("{endpoint=(other) /x}", routes.of("BREW", "/x").toString());
        assertEquals("{}", routes.of("GET", null).toString());
        assertThrows(IllegalArgumentException.class, () -> new RouteLabels("thread"));
    }
}
