package javax.servlet;

import java.util.Map;

public interface ServletContext {
    Map<String, ? extends ServletRegistration> getServletRegistrations();
}
