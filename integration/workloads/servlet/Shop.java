import hearth.Labels;
import hearth.javax.servlet.LabelsFilter;
import java.io.IOException;
import java.util.EnumSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.servlet.AsyncContext;
import javax.servlet.DispatcherType;
import javax.servlet.Filter;
import javax.servlet.FilterChain;
import javax.servlet.FilterConfig;
import javax.servlet.FilterRegistration;
import javax.servlet.ServletContext;
import javax.servlet.ServletContextEvent;
import javax.servlet.ServletContextListener;
import javax.servlet.ServletException;
import javax.servlet.ServletRegistration;
import javax.servlet.ServletRequest;
import javax.servlet.ServletResponse;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;

/** Servlets behind labels, each of which works in the part that its endpoint should have as label. */
public class Shop implements ServletContextListener {
    @Override
    public void contextInitialized(ServletContextEvent event) {
        ServletContext context = event.getServletContext();
        add(context.addFilter("bare", new Bare()));
        add(context.addFilter("labels", new LabelsFilter()));
        FilterRegistration.Dynamic more = context.addFilter("more", new LabelsFilter());
        more.setInitParameter("label", "route");
        more.setInitParameter("method", "true");
        add(more);
        for (String pattern : new String[] {"/orders/*", "/export", "*.report", "/"}) add(context, pattern, new Working());
        add(context, "/broken", new Broken());
        add(context, "/later/*", new Later());
    }

    @Override
    public void contextDestroyed(ServletContextEvent event) {}

    private static void add(FilterRegistration.Dynamic filter) {
        filter.setAsyncSupported(true);
        filter.addMappingForUrlPatterns(EnumSet.of(DispatcherType.REQUEST, DispatcherType.ASYNC), true, "/*");
    }

    private static void add(ServletContext context, String pattern, HttpServlet servlet) {
        ServletRegistration.Dynamic added = context.addServlet("servlet of " + pattern, servlet);
        added.setInitParameter("part", "/shop" + (pattern.startsWith("*") ? "/" : "") + pattern);
        added.setAsyncSupported(true);
        added.addMapping(pattern);
    }

    private static class Working extends HttpServlet {
        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
            Parts.work(getInitParameter("part"));
        }
    }

    private static class Broken extends HttpServlet {
        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response) throws ServletException {
            Labels.of("left", "open").open();
            Parts.work(getInitParameter("part"));
            throw new ServletException("as it is told");
        }
    }

    /** Works in the thread of the request, then in another one, then in that to which the request is dispatched again. */
    private static class Later extends HttpServlet {
        private final ExecutorService pool = Executors.newSingleThreadExecutor();

        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response) {
            Parts.work(getInitParameter("part"));
            if (request.getDispatcherType() == DispatcherType.ASYNC) return;
            AsyncContext later = request.startAsync();
            pool.execute(Labels.wrap(() -> Parts.work(getInitParameter("part"))));
            pool.execute(() -> {
                Parts.work("none");
                later.dispatch();
            });
        }

        @Override
        public void destroy() {
            pool.shutdown();
        }
    }

    /** Around the labels: a thread's work before and after them has none. */
    private static class Bare implements Filter {
        @Override
        public void init(FilterConfig config) {}

        @Override
        public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain) throws IOException, ServletException {
            if (!Labels.current().asMap().isEmpty()) System.out.println("labels before: " + Labels.current());
            try {
                chain.doFilter(request, response);
            } finally {
                Parts.work("none");
                if (!Labels.current().asMap().isEmpty()) System.out.println("labels left: " + Labels.current());
            }
        }

        @Override
        public void destroy() {}
    }
}
