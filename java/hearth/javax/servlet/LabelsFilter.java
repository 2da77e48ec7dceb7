package hearth.javax.servlet;

import hearth.Labels;
import java.io.IOException;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.servlet.Filter;
import javax.servlet.FilterChain;
import javax.servlet.FilterConfig;
import javax.servlet.ServletContext;
import javax.servlet.ServletException;
import javax.servlet.ServletRegistration;
import javax.servlet.ServletRequest;
import javax.servlet.ServletResponse;
import javax.servlet.http.HttpServletMapping;
import javax.servlet.http.HttpServletRequest;

/**
 * Handles requests under the label {@code endpoint}: the URL pattern of their servlet, after the path of the
 * application, such as {@code /shop/orders/*}. Init-params: {@code label} replaces that key; {@code method=true} adds
 * the label {@code method} with GET, POST and so on.
 *
 * <p>Map it to all URLs, with {@code async-supported}, for the dispatchers REQUEST and ASYNC: a request that is
 * dispatched again then gets its label again. Work in other threads, such as {@code AsyncContext.start}, needs {@link
 * Labels#wrap(Runnable)}. With FORWARD, too, the label is that of the servlet that a request is forwarded to.
 *
 * <p>If a framework routes inside of one servlet (Spring MVC, Jersey), the pattern is that of this servlet. Override
 * {@link #labels}, or set labels inside where the framework knows its route. The applications of one server should
 * share one copy of hearth.jar.
 */
public class LabelsFilter implements Filter {
    // Clients can invent other methods.
    private static final Set<String> METHODS =
        new HashSet<>(Arrays.asList("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"));
    private static final List<String> PARAMETERS = Arrays.asList("label", "method");

    private ServletContext application;
    private String label = "endpoint";
    private boolean saysMethod;
    private volatile boolean isServlet4 = true; // until a call shows that the API lacks the mapping
    private volatile Set<String> patterns; // of all servlets; null until needed

    @Override
    public void init(FilterConfig config) throws ServletException {
        application = config.getServletContext();
        for (String name : Collections.list(config.getInitParameterNames())) {
            if (!PARAMETERS.contains(name)) throw new ServletException("LabelsFilter has no init-param " + name + "; use one of " + PARAMETERS);
        }
        String key = config.getInitParameter("label"), method = config.getInitParameter("method");
        if (key != null) label = key;
        Labels.of(label, ""); // throws if the key is not allowed
        saysMethod = "true".equals(method);
        if (!saysMethod && method != null && !method.equals("false")) {
            throw new ServletException("init-param method of LabelsFilter must be true or false, not " + method);
        }
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain) throws IOException, ServletException {
        Labels labels = request instanceof HttpServletRequest ? labels((HttpServletRequest) request) : Labels.none();
        Labels.Scope scope = labels.open();
        try {
            chain.doFilter(request, response);
        } finally {
            scope.closeAll();
        }
    }

    @Override
    public void destroy() {}

    /** Labels of a request. An override should return few values: routes, not paths. */
    protected Labels labels(HttpServletRequest request) {
        Labels labels = Labels.of(label, endpoint(request));
        if (!saysMethod) return labels;
        return labels.and("method", METHODS.contains(request.getMethod()) ? request.getMethod() : "(other)");
    }

    private String endpoint(HttpServletRequest request) {
        String pattern = pattern(request);
        return request.getContextPath() + (pattern.startsWith("*") ? "/" : "") + pattern;
    }

    private String pattern(HttpServletRequest request) {
        HttpServletMapping mapping = isServlet4 ? mapping(request) : null;
        // A server that is older than its API returns a mapping without a match.
        return mapping != null && mapping.getMappingMatch() != null ? mapping.getPattern() : patternByPath(request);
    }

    private HttpServletMapping mapping(HttpServletRequest request) {
        try {
            return request.getHttpServletMapping();
        } catch (NoSuchMethodError older) {
            isServlet4 = false;
            return null;
        }
    }

    // Finds the pattern by the servlet's path, which is the part of the pattern before /*, or else the whole path.
    private String patternByPath(HttpServletRequest request) {
        String path = request.getServletPath(), rest = request.getPathInfo();
        Set<String> all = patterns();
        if (all.contains(path) && (path.isEmpty() ? "/".equals(rest) : rest == null)) return path;
        if (all.contains(path + "/*")) return path + "/*";
        int dot = path.lastIndexOf('.');
        String ending = dot < 0 ? "/" : "*" + path.substring(dot);
        return all.contains(ending) ? ending : "/";
    }

    private Set<String> patterns() {
        Set<String> known = patterns;
        if (known != null) return known;
        Set<String> found = new HashSet<>();
        for (ServletRegistration servlet : application.getServletRegistrations().values()) found.addAll(servlet.getMappings());
        patterns = found;
        return found;
    }
}
