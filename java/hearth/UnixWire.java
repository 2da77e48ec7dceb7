package hearth;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Sends requests by a Unix socket, which needs JDK 16; the JDK's own HTTP client does not support them. */
final class UnixWire implements Wire {
    private static final int CHUNK = 1 << 16;
    private static final Pattern STATUS = Pattern.compile("HTTP/1\\.[01] (\\d{3})[ \r]");
    private static final Pattern LENGTH = Pattern.compile("\r\nContent-Length: *(\\d+)\r\n", Pattern.CASE_INSENSITIVE);
    private final String path;
    private final SocketAddress address;
    private final int patienceMs;

    /** Throws IllegalArgumentException without a path, IllegalStateException if the JDK is too old. */
    UnixWire(String path) {
        this(path, PATIENCE_MS);
    }

    /** A wire that lets the server take this long for each part of its reply. */
    UnixWire(String path, int patienceMs) {
        if (path.isEmpty()) throw new IllegalArgumentException("unix: is not the address of a control server; use unix:PATH");
        this.path = path;
        this.address = addressOf(path);
        this.patienceMs = patienceMs;
    }

    private static SocketAddress addressOf(String path) {
        try {
            Class<?> type = Class.forName("java.net.UnixDomainSocketAddress");
            return (SocketAddress) type.getMethod("of", String.class).invoke(null, path);
        } catch (InvocationTargetException wrong) {
            throw new IllegalArgumentException("unix:" + path + ": " + wrong.getCause().getMessage(), wrong);
        } catch (ReflectiveOperationException tooOld) {
            throw new IllegalStateException("unix:" + path + " needs JDK 16 or newer, and this is JDK "
                + System.getProperty("java.specification.version")
                + "; use a port (hearth http PID) or the process id instead", tooOld);
        }
    }

    @Override
    public Answer ask(String method, String target, byte[] body, String token) throws IOException {
        try (SocketChannel channel = SocketChannel.open(address); Selector selector = Selector.open()) {
            channel.configureBlocking(false);
            SelectionKey key = channel.register(selector, 0);
            send(key, head(method, target, body, token).getBytes(StandardCharsets.ISO_8859_1));
            if (body != null) send(key, body);
            return answer(readAll(key));
        }
    }

    // A stopped JVM keeps its socket and never replies.
    private void await(SelectionKey key, int operation) throws IOException {
        key.interestOps(operation);
        int ready = key.selector().select(patienceMs);
        key.selector().selectedKeys().clear();
        if (ready > 0) return;
        if (Thread.currentThread().isInterrupted()) throw new ClosedByInterruptException();
        throw new SocketTimeoutException("no reply within " + patienceMs / 1000.0 + " s");
    }

    private static String head(String method, String target, byte[] body, String token) {
        String head = method + " " + target + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n";
        if (!token.isEmpty()) head += "Authorization: Bearer " + token + "\r\n";
        if (body != null) head += "Content-Type: application/json\r\nContent-Length: " + body.length + "\r\n";
        return head + "\r\n";
    }

    private void send(SelectionKey key, byte[] bytes) throws IOException {
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        while (buffer.hasRemaining()) {
            await(key, SelectionKey.OP_WRITE);
            ((SocketChannel) key.channel()).write(buffer);
        }
    }

    private byte[] readAll(SelectionKey key) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        ByteBuffer buffer = ByteBuffer.allocate(CHUNK);
        for (;;) {
            await(key, SelectionKey.OP_READ);
            if (((SocketChannel) key.channel()).read(buffer) < 0) return all.toByteArray();
            all.write(buffer.array(), 0, buffer.position());
            buffer.rewind();
        }
    }

    /** Throws IOException if the reply is incomplete. */
    static Answer answer(byte[] bytes) throws IOException {
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        int end = text.indexOf("\r\n\r\n");
        String head = end < 0 ? "" : text.substring(0, end + 2);
        Matcher status = STATUS.matcher(head);
        Matcher length = LENGTH.matcher(head);
        if (!status.lookingAt()) throw new IOException("the reply is not HTTP");
        byte[] body = Arrays.copyOfRange(bytes, end + 4, bytes.length);
        if (length.find() && Long.parseLong(length.group(1)) != body.length) throw new IOException("the reply was cut short");
        return new Answer(Integer.parseInt(status.group(1)), body);
    }

    @Override
    public String toString() {
        return "unix:" + path;
    }
}
