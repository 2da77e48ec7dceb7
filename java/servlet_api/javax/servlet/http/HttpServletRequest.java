package javax.servlet.http;

import javax.servlet.ServletRequest;

public interface HttpServletRequest extends ServletRequest {
    String getContextPath();

    String getMethod();

    String getPathInfo();

    String getServletPath();

    HttpServletMapping getHttpServletMapping();
}
