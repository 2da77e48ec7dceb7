import org.apache.catalina.startup.Tomcat;

public class TomcatServer {
    public static void main(String[] args) throws Exception {
        Tomcat server = new Tomcat();
        server.setBaseDir(args[0]);
        server.setPort(0);
        server.addContext("/shop", args[0]).addApplicationListener(Shop.class.getName());
        server.start();
        Parts.serve(server.getConnector().getLocalPort());
        server.stop();
    }
}
