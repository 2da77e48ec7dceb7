package hearth;

import java.io.IOException;

/** How requests reach a control server. Thread safe. */
interface Wire {
    /** For how long nothing may come: writing a large profile takes a while. */
    int PATIENCE_MS = 300_000;

    /** What came back. */
    final class Answer {
        final int status;
        final byte[] body;

        Answer(int status, byte[] body) {
            this.status = status;
            this.body = body;
        }
    }

    /**
     * One request, whatever the status of its answer.
     *
     * @param body JSON, or null for none
     * @param token may be empty
     * @throws IOException when nobody answers
     */
    Answer ask(String method, String path, byte[] body, String token) throws IOException;
}
