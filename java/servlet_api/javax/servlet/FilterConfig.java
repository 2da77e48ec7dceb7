package javax.servlet;

import java.util.Enumeration;

public interface FilterConfig {
    ServletContext getServletContext();

    String getInitParameter(String name);

    Enumeration<String> getInitParameterNames();
}
