package javax.servlet.http;

public interface HttpServletMapping {
    MappingMatch getMappingMatch();

    String getPattern();
}
