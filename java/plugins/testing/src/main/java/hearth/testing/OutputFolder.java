package hearth.testing;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.FileSystemNotFoundException;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.security.CodeSource;
import java.security.ProtectionDomain;

/** The folder of a build's profiles: {@code target/hearth} of Maven, {@code build/hearth} of Gradle. */
final class OutputFolder {
    private static final String NAME = "hearth";

    private OutputFolder() {}

    /**
     * The folder that the system property {@code hearth.output-dir} names, else {@code hearth} in the output folder that
     * holds the classes of the test, else {@code target/hearth} in the working directory.
     */
    static Path of(Class<?> test) {
        String named = System.getProperty("hearth.output-dir");
        if (named != null && !named.isEmpty()) return Paths.get(named).toAbsolutePath();
        Path classes = classes(test);
        for (Path folder = classes; folder != null && folder.getFileName() != null; folder = folder.getParent()) {
            String name = folder.getFileName().toString();
            if (name.equals("target") || name.equals("build")) return folder.resolve(NAME);
        }
        return Paths.get("target", NAME).toAbsolutePath();
    }

    // Null for a class that is in no file.
    private static Path classes(Class<?> test) {
        ProtectionDomain domain = test.getProtectionDomain();
        CodeSource source = domain == null ? null : domain.getCodeSource();
        if (source == null || source.getLocation() == null) return null;
        try {
            URI place = source.getLocation().toURI();
            return "file".equals(place.getScheme()) ? Paths.get(place).toAbsolutePath() : null;
        } catch (URISyntaxException | IllegalArgumentException | FileSystemNotFoundException elsewhere) {
            return null;
        }
    }
}
