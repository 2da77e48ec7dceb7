package hearth.testing;

import hearth.Profiler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The profile of one test, by a session of its own: tests with other sessions, or with the same event, may run at the
 * same time. It has the work of all threads of the JVM. Where this machine cannot be profiled (another system than
 * Linux, no agent), the test runs as it would without, and {@link #end} returns the reason. Not thread safe.
 */
public final class TestProfile {
    private final Path file;
    private final Profiler.Session session; // null if there is none
    private final String missing; // the reason then

    private TestProfile(Path file, Profiler.Session session, String missing) {
        this.file = file;
        this.session = session;
        this.missing = missing;
    }

    /**
     * Begins to profile.
     *
     * @param type the class of the test; its output folder gets the file
     * @param test its name, from which the file's name is made
     * @throws IllegalArgumentException when a setting is wrong; the text is the agent's own
     * @throws IOException when the folder cannot be created
     */
    public static TestProfile begin(ProfileSettings settings, Class<?> type, String test) throws IOException {
        Path file = OutputFolder.of(type).resolve(settings.fileOf(test));
        Files.createDirectories(file.getParent());
        try {
            return new TestProfile(file, Profiler.here().session(settings.options()).into(file), null);
        } catch (IllegalStateException unable) {
            return new TestProfile(file, null, unable.getMessage());
        }
    }

    /**
     * Ends it and writes the file.
     *
     * @return a line for the output of the build: where the profile is, or why there is none
     * @throws IOException when the file cannot be written
     */
    public String end() throws IOException {
        if (session == null) return "hearth: no profile " + file + ": " + missing;
        try {
            session.close();
        } catch (IllegalStateException stopped) {
            return "hearth: no profile " + file + ": " + stopped.getMessage();
        }
        return "hearth: profile " + file;
    }
}
