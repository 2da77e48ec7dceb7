package hearth.spring;

import hearth.Labels;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.springframework.lang.Nullable;
import org.springframework.web.servlet.AsyncHandlerInterceptor;
import org.springframework.web.servlet.HandlerMapping;

/**
 * Handles requests of Spring MVC under the label of their route, from the first interceptor to the rendered view. A
 * request that is dispatched again gets its label again. Work in other threads needs {@link Labels#wrap(Runnable)}.
 */
final class RouteInterceptor implements AsyncHandlerInterceptor {
    private static final String SCOPE = RouteInterceptor.class.getName() + ".scope";

    private final RouteLabels routes;

    RouteInterceptor(RouteLabels routes) {
        this.routes = routes;
    }

    @Override
    public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler) {
        Labels labels = routes.of(request.getMethod(), request.getAttribute(HandlerMapping.BEST_MATCHING_PATTERN_ATTRIBUTE));
        // An error is dispatched while the request that failed is still open on the same thread.
        Scopes outer = (Scopes) request.getAttribute(SCOPE);
        request.setAttribute(SCOPE, new Scopes(labels.open(), outer));
        return true;
    }

    @Override
    public void afterConcurrentHandlingStarted(HttpServletRequest request, HttpServletResponse response, Object handler) {
        close(request);
    }

    @Override
    public void afterCompletion(HttpServletRequest request, HttpServletResponse response, Object handler, @Nullable Exception error) {
        close(request);
    }

    private static void close(HttpServletRequest request) {
        Scopes scopes = (Scopes) request.getAttribute(SCOPE);
        if (scopes == null) return;
        scopes.scope.closeAll();
        if (scopes.outer == null) request.removeAttribute(SCOPE);
        else request.setAttribute(SCOPE, scopes.outer);
    }

    private record Scopes(Labels.Scope scope, @Nullable Scopes outer) {}
}
