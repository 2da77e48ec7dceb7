package hearth;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;

import hearth.javax.servlet.LabelsFilter;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import javax.servlet.FilterConfig;
import javax.servlet.ServletContext;
import javax.servlet.ServletException;
import javax.servlet.ServletRegistration;
import javax.servlet.ServletRequest;
import javax.servlet.http.HttpServletMapping;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.MappingMatch;
import org.junit.Test;

public class LabelsFilterTest {
    /** Answers each method by its name; Errors are thrown. */
    private static <T> T made(Class<T> type, Map<String, ?> answers) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> {
            Object answer = answers.get(method.getName());
            if (answer instanceof Error) throw (Error) answer;
            return method.getName().equals("getInitParameter") ? ((Map<?, ?>) answers.get("parameters")).get(arguments[0]) : answer;
        }));
    }

    private static Map<String, Object> map(Object... pairs) {
        Map<String, Object> map = new HashMap<>();
        for (int i = 0; i < pairs.length; i += 2) map.put((String) pairs[i], pairs[i + 1]);
        return map;
    }

    private static LabelsFilter filter(Map<String, Object> parameters, String... patterns) throws ServletException {
        ServletRegistration servlet = made(ServletRegistration.class, map("getMappings", Arrays.asList(patterns)));
        ServletContext application = made(ServletContext.class, map("getServletRegistrations", Collections.singletonMap("any", servlet)));
        LabelsFilter filter = new LabelsFilter();
        filter.init(made(FilterConfig.class, map("getServletContext", application, "parameters", parameters,
            "getInitParameterNames", Collections.enumeration(parameters.keySet()))));
        return filter;
    }

    private static Map<String, String> labels(LabelsFilter filter, ServletRequest request) throws Exception {
        Map<String, String> found = new TreeMap<>();
        filter.doFilter(request, null, (any, other) -> found.putAll(Labels.current().asMap()));
        assertEquals(Collections.emptyMap(), Labels.current().asMap());
        return found;
    }

    private static HttpServletRequest mapped(String method, String pattern) {
        HttpServletMapping mapping = made(HttpServletMapping.class, map("getMappingMatch", MappingMatch.EXACT, "getPattern", pattern));
        return made(HttpServletRequest.class, map("getContextPath", "", "getMethod", method, "getHttpServletMapping", mapping));
    }

    private static HttpServletRequest older(String path, String rest) {
        return made(HttpServletRequest.class, map("getContextPath", "/app", "getServletPath", path, "getPathInfo", rest,
            "getHttpServletMapping", new NoSuchMethodError()));
    }

    @Test
    public void requestsHaveTheirPattern() throws Exception {
        assertEquals(map("endpoint", "/a/*"), labels(filter(map()), mapped("GET", "/a/*")));
        assertEquals(map("endpoint", "/*.do"), labels(filter(map("method", "false")), mapped("GET", "*.do")));
    }

    @Test
    public void keyAndMethodAsConfigured() throws Exception {
        LabelsFilter filter = filter(map("label", "route", "method", "true"));
        assertEquals(map("route", "/a", "method", "PATCH"), labels(filter, mapped("PATCH", "/a")));
        assertEquals(map("route", "/a", "method", "(other)"), labels(filter, mapped("MADE-UP", "/a")));
    }

    @Test
    public void beforeServlet4ThePatternIsFoundByThePath() throws Exception {
        LabelsFilter filter = filter(map(), "/", "", "/a/*", "/a/exact", "*.do", "/deep.do/*");
        assertEquals(map("endpoint", "/app/a/*"), labels(filter, older("/a", "/more")));
        assertEquals(map("endpoint", "/app/a/*"), labels(filter, older("/a", null)));
        assertEquals(map("endpoint", "/app/a/exact"), labels(filter, older("/a/exact", null)));
        assertEquals(map("endpoint", "/app/*.do"), labels(filter, older("/x/y.do", null)));
        assertEquals(map("endpoint", "/app/deep.do/*"), labels(filter, older("/deep.do", "/x")));
        assertEquals(map("endpoint", "/app/"), labels(filter, older("/else.where/x", null)));
        assertEquals(map("endpoint", "/app"), labels(filter, older("", "/")));
        assertEquals(map("endpoint", "/app/*"), labels(filter(map(), "/*"), older("", "/x")));
    }

    @Test
    public void aServerOlderThanItsApiSaysNothingByTheMapping() throws Exception {
        HttpServletMapping empty = made(HttpServletMapping.class, map("getPattern", ""));
        HttpServletRequest request = made(HttpServletRequest.class,
            map("getContextPath", "", "getServletPath", "/a", "getPathInfo", "/b", "getHttpServletMapping", empty));
        assertEquals(map("endpoint", "/a/*"), labels(filter(map(), "/a/*"), request));
    }

    @Test
    public void otherRequestsHaveNone() throws Exception {
        assertEquals(map(), labels(filter(map()), made(ServletRequest.class, map())));
    }

    @Test
    public void exceptionsPassAndLabelsEnd() throws Exception {
        LabelsFilter filter = filter(map());
        Labels.of("outer", "x").call(() -> {
            ServletException thrown = assertThrows(ServletException.class, () -> filter.doFilter(mapped("GET", "/a"), null, (request, response) -> {
                Labels.of("left", "open").open();
                throw new ServletException("as it is told");
            }));
            assertEquals("as it is told", thrown.getMessage());
            assertEquals(map("outer", "x"), Labels.current().asMap());
            return null;
        });
    }

    @Test
    public void wrongConfigurationIsRefused() {
        assertEquals("LabelsFilter has no init-param key; use one of [label, method]",
            assertThrows(ServletException.class, () -> filter(map("key", "route"))).getMessage());
        assertEquals("init-param method of LabelsFilter must be true or false, not yes",
            assertThrows(ServletException.class, () -> filter(map("method", "yes"))).getMessage());
        assertThrows(IllegalArgumentException.class, () -> filter(map("label", "thread")));
    }
}
