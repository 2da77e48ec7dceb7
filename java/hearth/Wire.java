package hearth;

import java.io.IOException;

/** Sends requests to a control server. Thread safe. */
interface Wire {
    /** Longest silence of the server: writing a large profile takes a while. */
    int PATIENCE_MS = 300_000;

    /** Reply of the server. */
    final class Answer {
        final int status;
        final byte[] body;

        Answer(int status, byte[] body) {
            this.status = status;
            this.body = body;
        }
    }

    /**
     * Sends one request; returns the reply whatever its status is.
     *
     * @param body JSON, or null for none
     * @param token may be empty
     * @throws IOException when there is no reply
     */
    Answer ask(String method, String path, byte[] body, String token) throws IOException;
}
