package javax.servlet;

public class ServletException extends Exception {
    private static final long serialVersionUID = 1;

    public ServletException(String message) {
        super(message);
    }
}
