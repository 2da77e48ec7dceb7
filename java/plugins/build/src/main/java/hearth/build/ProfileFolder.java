package hearth.build;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The folder of a build's profiles: a recording of each JVM, and their results. Thread safe; builds that run at
 * the same time need folders of their own.
 */
public final class ProfileFolder {
    private static final Pattern RECORDING = Pattern.compile("[a-z]+-\\d+\\.pb\\.gz");
    private final Path path;

    /** The folder need not exist. */
    public ProfileFolder(Path path) {
        this.path = path.toAbsolutePath().normalize();
    }

    /** Absolute path of the folder. */
    public Path path() {
        return path;
    }

    /** Pattern of the recordings' names, for {@link Recording#jvmOption}: {@code test-%p.pb.gz} for {@code test}. */
    public Path recording(String kind) {
        return path.resolve(kind + "-%p.pb.gz");
    }

    /** All recordings in one profile. */
    public Path profile() {
        return path.resolve("profile.pb.gz");
    }

    /** The same as a flame graph, or in the format of another ending such as {@code collapsed}. */
    public Path profile(String ending) {
        return path.resolve("profile." + ending);
    }

    /** The difference from the stored base. */
    public Path difference() {
        return path.resolve("diff.html");
    }

    /** The recordings, ordered by name. */
    public List<Path> recordings() throws IOException {
        List<Path> found = new ArrayList<>();
        if (!Files.isDirectory(path)) return found;
        try (Stream<Path> files = Files.list(path)) {
            files.filter(file -> RECORDING.matcher(file.getFileName().toString()).matches()).forEach(found::add);
        }
        Collections.sort(found);
        return found;
    }

    /**
     * Creates the folder, and deletes the recordings of earlier builds and their results.
     *
     * @param began when this build began, in milliseconds since 1970: several modules may share the folder
     */
    public void prepare(long began) throws IOException {
        Files.createDirectories(path);
        List<Path> old = recordings();
        for (String ending : Format.ENDINGS) old.add(profile(ending));
        old.add(difference());
        for (Path file : old) {
            if (Files.exists(file) && Files.getLastModifiedTime(file).toMillis() < began) Files.delete(file);
        }
    }
}
