package hearth;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** By a Unix socket, which needs JDK 16; the JDK's own client of HTTP knows none. */
final class UnixWire implements Wire {
    private static final int CHUNK = 1 << 16;
    private static final Pattern STATUS = Pattern.compile("HTTP/1\\.[01] (\\d{3})[ \r]");
    private static final Pattern LENGTH = Pattern.compile("\r\nContent-Length: *(\\d+)\r\n", Pattern.CASE_INSENSITIVE);
    private final String path;
    private final SocketAddress address;

    /** Throws IllegalArgumentException for no path, IllegalStateException where the JDK is too old. */
    UnixWire(String path) {
        if (path.isEmpty()) throw new IllegalArgumentException("unix: is no address of a control server; write unix:PATH");
        this.path = path;
        this.address = addressOf(path);
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
                + "; let the other JVM listen at a port (hearth http PID), or name it by its process id", tooOld);
        }
    }

    @Override
    public Answer ask(String method, String target, byte[] body, String token) throws IOException {
        try (SocketChannel channel = SocketChannel.open(address)) {
            send(channel, head(method, target, body, token).getBytes(StandardCharsets.ISO_8859_1));
            if (body != null) send(channel, body);
            return answer(readAll(channel));
        }
    }

    private static String head(String method, String target, byte[] body, String token) {
        String head = method + " " + target + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n";
        if (!token.isEmpty()) head += "Authorization: Bearer " + token + "\r\n";
        if (body != null) head += "Content-Type: application/json\r\nContent-Length: " + body.length + "\r\n";
        return head + "\r\n";
    }

    private static void send(SocketChannel channel, byte[] bytes) throws IOException {
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        while (buffer.hasRemaining()) channel.write(buffer);
    }

    private static byte[] readAll(SocketChannel channel) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        ByteBuffer buffer = ByteBuffer.allocate(CHUNK);
        while (channel.read(buffer) >= 0) {
            all.write(buffer.array(), 0, buffer.position());
            buffer.rewind();
        }
        return all.toByteArray();
    }

    /** Throws IOException for what is no whole answer. */
    static Answer answer(byte[] bytes) throws IOException {
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        int end = text.indexOf("\r\n\r\n");
        String head = end < 0 ? "" : text.substring(0, end + 2);
        Matcher status = STATUS.matcher(head);
        Matcher length = LENGTH.matcher(head);
        if (!status.lookingAt()) throw new IOException("its answer is not HTTP");
        byte[] body = Arrays.copyOfRange(bytes, end + 4, bytes.length);
        if (length.find() && Long.parseLong(length.group(1)) != body.length) throw new IOException("its answer was cut short");
        return new Answer(Integer.parseInt(status.group(1)), body);
    }

    @Override
    public String toString() {
        return "unix:" + path;
    }
}
