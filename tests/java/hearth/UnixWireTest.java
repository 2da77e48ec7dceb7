package hearth;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;
import static org.junit.Assume.assumeFalse;
import static org.junit.Assume.assumeTrue;

import java.io.IOException;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class UnixWireTest {
    @Rule public final TemporaryFolder scratch = new TemporaryFolder();

    private static boolean isKnownHere() {
        try {
            return Class.forName("java.net.UnixDomainSocketAddress") != null;
        } catch (ClassNotFoundException old) {
            return false;
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    // The JDK that compiles this may know no such sockets.
    private static ServerSocketChannel listen(Path path) throws Exception {
        Class<?> type = Class.forName("java.net.UnixDomainSocketAddress");
        java.net.ProtocolFamily family =
            (java.net.ProtocolFamily) java.net.StandardProtocolFamily.class.getField("UNIX").get(null);
        ServerSocketChannel server = (ServerSocketChannel) ServerSocketChannel.class
            .getMethod("open", java.net.ProtocolFamily.class).invoke(null, family);
        return server.bind((SocketAddress) type.getMethod("of", Path.class).invoke(null, path));
    }

    @Test
    public void asksAsTheOtherWireDoes() throws Exception {
        assumeTrue("needs JDK 16 or newer", isKnownHere());
        Path path = scratch.getRoot().toPath().resolve("socket");
        String[] asked = {""};
        try (ServerSocketChannel server = listen(path)) {
            Thread answering = new Thread(() -> {
                try (SocketChannel channel = server.accept()) {
                    ByteBuffer buffer = ByteBuffer.allocate(4096);
                    while (!new String(buffer.array(), 0, buffer.position(), StandardCharsets.ISO_8859_1).contains("}")) {
                        channel.read(buffer);
                    }
                    asked[0] = new String(buffer.array(), 0, buffer.position(), StandardCharsets.ISO_8859_1);
                    channel.write(ByteBuffer.wrap(bytes("HTTP/1.1 200 OK\r\ncontent-length: 16\r\n\r\n{\"message\": \"m\"}")));
                } catch (IOException broken) {
                    asked[0] = broken.toString();
                }
            });
            answering.start();
            assertEquals("m", Profiler.at("unix:" + path, "").start("event=cpu"));
            answering.join();
        }
        assertTrue(asked[0], asked[0].startsWith("POST /api/start HTTP/1.1\r\nHost: localhost\r\n"));
        assertTrue(asked[0], asked[0].endsWith("\r\nContent-Length: 15\r\n\r\n{\"event\":\"cpu\"}"));
    }

    @Test
    public void saysThatNobodyListens() {
        assumeTrue("needs JDK 16 or newer", isKnownHere());
        Profiler profiler = Profiler.at("unix:" + scratch.getRoot().toPath().resolve("none"), "");
        assertTrue(assertThrows(IllegalStateException.class, profiler::getStatus).getMessage().contains("none does not answer"));
    }

    @Test
    public void givesUpOnOneThatNeverAnswers() throws Exception {
        assumeTrue("needs JDK 16 or newer", isKnownHere());
        Path path = scratch.getRoot().toPath().resolve("socket");
        try (ServerSocketChannel server = listen(path)) {
            UnixWire wire = new UnixWire(path.toString(), 50);
            String why = assertThrows(SocketTimeoutException.class, () -> wire.ask("GET", "/", null, "")).getMessage();
            assertEquals("no reply within 0.05 s", why);
            byte[] body = new byte[1 << 24]; // more than the socket holds
            assertThrows(SocketTimeoutException.class, () -> wire.ask("POST", "/", body, ""));
        }
    }

    @Test
    public void saysThatAnOldJdkKnowsNone() {
        assumeFalse("needs a JDK before 16", isKnownHere());
        String why = assertThrows(IllegalStateException.class, () -> Profiler.at("unix:/x", "")).getMessage();
        assertTrue(why, why.contains("needs JDK 16 or newer"));
    }

    @Test
    public void takesWholeAnswersOnly() throws IOException {
        Wire.Answer answer = UnixWire.answer(bytes("HTTP/1.1 404 Not Found\r\nA: b\r\nContent-Length: 2\r\n\r\n\r\n"));
        assertEquals(404, answer.status);
        assertEquals(2, answer.body.length);
        assertEquals(0, UnixWire.answer(bytes("HTTP/1.0 204 \r\n\r\n")).body.length);
        for (String broken : new String[] {"", "HTTP/1.1 200 OK\r\n", "SSH-2.0\r\n\r\n", "HTTP/1.1 20\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nab"}) {
            assertThrows(broken, IOException.class, () -> UnixWire.answer(bytes(broken)));
        }
    }
}
