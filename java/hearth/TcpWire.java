package hearth;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.URL;

/** Sends requests by http:// or https://. */
final class TcpWire implements Wire {
    private static final int CONNECT_MS = 10_000;
    private final String url;

    /** Throws IllegalArgumentException if the text is not the address of a server. */
    TcpWire(String url) {
        this.url = url.replaceFirst("/+$", "");
        if (!this.url.matches("https?://[^/?#@]+(/[^?#@]*)?")) {
            throw new IllegalArgumentException(url + " is not the address of a control server; use http://HOST:PORT or unix:PATH");
        }
    }

    @Override
    public Answer ask(String method, String path, byte[] body, String token) throws IOException {
        HttpURLConnection connection = (HttpURLConnection) new URL(url + path).openConnection();
        connection.setConnectTimeout(CONNECT_MS);
        connection.setReadTimeout(PATIENCE_MS);
        connection.setInstanceFollowRedirects(false); // would send the token along
        connection.setRequestMethod(method);
        if (!token.isEmpty()) connection.setRequestProperty("Authorization", "Bearer " + token);
        if (body != null) send(connection, body);
        int status = connection.getResponseCode();
        InputStream stream = status == 200 ? connection.getInputStream() : connection.getErrorStream();
        if (stream != null) return new Answer(status, Bytes.readAll(stream));
        // After a request with a body the JDK hides the reply to a 401; a request without a body gets the same text.
        return new Answer(status, status == 401 && body != null ? ask("GET", "/api/status", null, token).body : new byte[0]);
    }

    private static void send(HttpURLConnection connection, byte[] body) throws IOException {
        connection.setDoOutput(true);
        connection.setRequestProperty("Content-Type", "application/json");
        connection.setFixedLengthStreamingMode(body.length);
        try (OutputStream out = connection.getOutputStream()) {
            out.write(body);
        }
    }

    @Override
    public String toString() {
        return url;
    }
}
