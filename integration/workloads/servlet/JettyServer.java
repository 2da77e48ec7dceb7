import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.servlet.ServletContextHandler;

public class JettyServer {
    public static void main(String[] args) throws Exception {
        Server server = new Server(0);
        ServletContextHandler shop = new ServletContextHandler(server, "/shop");
        shop.addEventListener(new Shop());
        server.start();
        Parts.serve(((ServerConnector) server.getConnectors()[0]).getLocalPort());
        server.stop();
    }
}
