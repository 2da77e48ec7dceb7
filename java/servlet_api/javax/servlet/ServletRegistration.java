package javax.servlet;

import java.util.Collection;

public interface ServletRegistration {
    Collection<String> getMappings();
}
