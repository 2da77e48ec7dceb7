package hearth;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Against a server that keeps its requests. */
public class RemoteJvmTest {
    @Rule public final TemporaryFolder scratch = new TemporaryFolder();
    private HttpServer server;
    private Profiler profiler;
    private volatile String asked = "";
    private volatile int status = 200;
    private volatile String reply = "";

    @Before
    public void listen() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.start();
        profiler = Profiler.at("http://127.0.0.1:" + server.getAddress().getPort() + "/", "secret-token\n");
    }

    @After
    public void close() {
        server.stop(0);
    }

    private void answer(HttpExchange exchange) throws IOException {
        String body = new String(Bytes.readAll(exchange.getRequestBody()), StandardCharsets.UTF_8);
        asked = exchange.getRequestMethod() + " " + exchange.getRequestURI() + " "
            + exchange.getRequestHeaders().getFirst("Authorization") + " " + body;
        byte[] bytes = reply.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    private String refusal(Class<? extends Exception> kind, String command) {
        return assertThrows(kind, () -> profiler.execute(command)).getMessage();
    }

    @Test
    public void saysOptionsAsJson() {
        reply = "{\"message\": \"Profiling started\", \"id\": \"x\"}";
        assertEquals("Profiling started", profiler.start("event=cpu,threads,include=a,include=b"));
        assertEquals("POST /api/start Bearer secret-token {\"event\":\"cpu\",\"threads\":true,\"include\":[\"a\",\"b\"]}", asked);
    }

    @Test
    public void givesAProfileAsItCame() {
        reply = "a;b 1\n";
        assertArrayEquals(reply.getBytes(StandardCharsets.UTF_8), profiler.stopToBytes("collapsed,total"));
        assertEquals("POST /api/stop Bearer secret-token {\"total\":true,\"format\":\"collapsed\"}", asked);
        reply = "{\"profile\": {\"id\": \"20261122-1\"}}";
        assertEquals("Stored on the server as 20261122-1", profiler.stop(""));
    }

    @Test
    public void endsASessionIntoAFileOfText() throws IOException {
        reply = "{\"message\": \"Profiling started\", \"id\": \"x\"}";
        Path file = scratch.getRoot().toPath().resolve("p.txt");
        try (Profiler.Session session = profiler.session("").into(file)) {
            reply = "stacks\n";
        }
        assertTrue(asked, asked.matches("POST /api/stop Bearer secret-token \\{\"session\":\"\\.java-[-0-9a-f]+\",\"format\":\"traces\"}"));
        assertEquals("stacks\n", new String(Files.readAllBytes(file), StandardCharsets.UTF_8));
        assertEquals("stacks\n", profiler.stop("flat=20"));
        assertEquals("POST /api/stop Bearer secret-token {\"format\":\"flat=20\"}", asked);
    }

    @Test
    public void asksForADifferenceByItsPath() {
        reply = "<html>";
        assertArrayEquals(reply.getBytes(StandardCharsets.UTF_8), profiler.compareStored("a-1", "../b", "html,title=a &b,absolute"));
        assertEquals("GET /api/diff/a-1/..%2Fb.html?title=a%20%26b&absolute Bearer secret-token ", asked);
        assertThrows(IllegalArgumentException.class, () -> profiler.compareStored("a", "b", "text"));
    }

    @Test
    public void tellsTheStatusAsTheAgentDoes() {
        reply = "{\"sessions\": [{\"state\": \"running\", \"event\": \"cpu\", \"duration_ns\": 1500000000, \"samples\": 7, "
            + "\"lost\": 0, \"engine\": \"ctimer\"}]}";
        assertEquals("Profiling is running for 1.5 s: cpu, 7 samples, 0 lost, engine ctimer", profiler.getStatus());
        reply = "{\"sessions\": []}";
        assertEquals("Nothing was profiled yet", profiler.getStatus());
    }

    @Test
    public void listsEventsAsTheAgentDoes() {
        reply = "{\"events\": [{\"name\": \"cpu\", \"about\": \"CPU time\"}, {\"name\": \"wall\", \"about\": \"all time\"}]}";
        assertEquals("Basic events:\n  cpu          CPU time\n  wall         all time\n", profiler.execute("list"));
        assertEquals("GET /api/events Bearer secret-token ", asked);
    }

    @Test
    public void tellsWhyItIsRefused() {
        reply = "{\"error\": {\"code\": \"session_running\", \"message\": \"no\", \"running\": \"cpu\", \"hint\": \"stop it\"}}";
        status = 409;
        assertEquals("no: cpu (stop it)", refusal(IllegalStateException.class, "start"));
        status = 400;
        assertEquals("no: cpu (stop it)", refusal(IllegalArgumentException.class, "start,event=x"));
        status = 401;
        assertEquals("no: cpu (stop it)", refusal(IllegalStateException.class, "status"));
        assertEquals("although a body was sent", "no: cpu (stop it)", refusal(IllegalStateException.class, "start"));
        reply = "";
        assertEquals(true, refusal(IllegalStateException.class, "status").endsWith("answers with status 401"));
    }

    @Test
    public void asksForNothingThatIsNotForHttp() {
        for (String command : new String[] {"stop-http", "http=0", "", "status,event=cpu", "stop,flat,traces"}) {
            refusal(IllegalArgumentException.class, command);
        }
        assertEquals("", asked);
        for (String url : new String[] {"127.0.0.1:1", "ftp://x", "unix:", "http://user@host", "http://h/?a", "http://"}) {
            assertThrows(url, IllegalArgumentException.class, () -> Profiler.at(url, ""));
        }
        assertThrows(IllegalArgumentException.class, () -> Profiler.at("http://h", "a\r\nb: c"));
        String missing = assertThrows(IllegalArgumentException.class, () -> Profiler.at(null, "")).getMessage();
        assertEquals("no address was given; use http://HOST:PORT or unix:PATH", missing);
    }

    @Test
    public void saysThatNobodyAnswers() {
        server.stop(0);
        assertEquals(true, refusal(IllegalStateException.class, "status").contains("does not answer"));
    }
}
