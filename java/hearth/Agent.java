package hearth;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.Paths;

/**
 * The agent in this process. An agent that was loaded with the JVM or attached to it is used. Otherwise the first
 * command loads libhearth.so: the file (or the one in the folder) that the system property {@code hearth.library-path}
 * names, or a copy of the one in the jar. Only one class loader of a JVM can load it. Thread safe.
 */
final class Agent {
    private static final String LIBRARY = "libhearth.so";
    private static final String PREFIX = "hearth-"; // of the folders it is unpacked into; the process id follows
    // System property with the path of the agent that a class loader has loaded, for all the others. As a literal it is
    // one object for all class loaders, so it is also their lock.
    private static final String LOADED = "hearth.loaded-agent";
    private static boolean present;
    private static IllegalStateException absent;

    private Agent() {}

    /**
     * Runs one command, in the grammar of {@code -agentpath:libhearth.so=...}.
     *
     * @return the message or, of an output without {@code file=}, its content
     * @throws IllegalArgumentException when the command is wrong; the text is the agent's own
     * @throws IllegalStateException when it cannot run now, or there is no agent; the text gives the reason
     */
    static String execute(String command) {
        return new String(executeToBytes(command), StandardCharsets.UTF_8);
    }

    /** As execute, for outputs that are not text ({@code pprof}, {@code jfr}, {@code otlp}). */
    static byte[] executeToBytes(String command) {
        load();
        return execute0(command.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Throws IllegalArgumentException if a command has an option that is reserved to the process, such as {@code file}.
     */
    static void checkForClient(String command) {
        load();
        checkForClient0(command.getBytes(StandardCharsets.UTF_8));
    }

    /** Throws IllegalStateException if there can be no agent; the text gives the reason. */
    static synchronized void load() {
        if (present) return;
        if (absent != null) throw new IllegalStateException(absent.getMessage(), absent);
        try {
            if (!answers()) loadOnce();
            present = true;
        } catch (IllegalStateException error) {
            absent = error;
            throw error;
        } catch (RuntimeException | LinkageError error) {
            absent = new IllegalStateException("the agent cannot be loaded: " + error.getMessage() + wayOut(error), error);
            throw absent;
        }
    }

    // IllegalCallerException came with JDK 9. From JDK 24 on the JVM throws it under --illegal-native-access=deny.
    private static String wayOut(Throwable error) {
        boolean denied = error.getClass().getName().equals("java.lang.IllegalCallerException");
        return denied ? "; give the JVM --enable-native-access=ALL-UNNAMED (or =hearth, when it is on the module path)" : "";
    }

    // The JVM looks for native methods in its agents, too.
    private static boolean answers() {
        try {
            execute0("version".getBytes(StandardCharsets.UTF_8));
            return true;
        } catch (UnsatisfiedLinkError notLoaded) {
            return false;
        }
    }

    // A second agent in the JVM would set up its own signal handlers and breakpoints.
    private static void loadOnce() {
        synchronized (LOADED) {
            String loaded = System.getProperty(LOADED);
            if (loaded != null) {
                throw new IllegalStateException("another class loader of this JVM has loaded the agent (" + loaded
                    + "); share one hearth.jar between them, or start the JVM with -agentpath:PATH/" + LIBRARY + "=version");
            }
            String path = find().toAbsolutePath().toString();
            System.load(path);
            System.setProperty(LOADED, path);
        }
    }

    private static Path find() {
        String platform = Platform.folder();
        String named = System.getProperty("hearth.library-path");
        if (named == null) return unpack(platform);
        Path path = Paths.get(named);
        if (Files.isDirectory(path)) path = path.resolve(LIBRARY);
        if (Files.isRegularFile(path)) return path;
        throw new IllegalStateException("system property hearth.library-path: " + path + " is not there");
    }

    // Into a folder that only this user may enter. It stays until the JVM ends: the agent reads its own symbols there,
    // and the launcher finds it there.
    private static Path unpack(String platform) {
        try (InputStream packed = Agent.class.getResourceAsStream(platform + LIBRARY)) {
            if (packed == null) {
                throw new IllegalStateException(Platform.missing(LIBRARY) + "; name one by "
                    + "-Dhearth.library-path=PATH");
            }
            // "4711"
            Path folder = Files.createTempDirectory(PREFIX + Paths.get("/proc/self").toRealPath().getFileName() + "-");
            folder.toFile().deleteOnExit();
            Path library = folder.resolve(LIBRARY);
            library.toFile().deleteOnExit();
            removeLeft(folder);
            try {
                Files.copy(packed, library);
            } catch (IOException error) {
                remove(folder, folder);
                throw error;
            }
            return library;
        } catch (IOException error) {
            throw new IllegalStateException("the agent cannot be unpacked into " + System.getProperty("java.io.tmpdir") + ": "
                + Reason.of(error) + "; choose another folder with -Djava.io.tmpdir=DIR, or unpack it and name it with "
                + "-Dhearth.library-path=PATH", error);
        }
    }

    // Removes folders that killed JVMs have left. For a JVM that runs but cannot be seen, as in a container, only the
    // name goes: its mapping of the library stays valid.
    private static void removeLeft(Path own) {
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(own.getParent(), PREFIX + "*-*")) {
            for (Path folder : folders) {
                String process = folder.getFileName().toString().split("-")[1];
                if (process.matches("\\d+") && !Files.exists(Paths.get("/proc", process))) remove(folder, own);
            }
        } catch (IOException | DirectoryIteratorException unreadable) {
            // The folder stays.
        }
    }

    private static void remove(Path folder, Path own) {
        try {
            // Not through a link, which could lead anywhere.
            if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) return;
            if (!Files.getOwner(folder, LinkOption.NOFOLLOW_LINKS).equals(Files.getOwner(own))) return;
            Files.deleteIfExists(folder.resolve(LIBRARY));
            Files.deleteIfExists(folder);
        } catch (IOException another) {
            // Another JVM removes it, or it holds other files.
        }
    }

    private static native byte[] execute0(byte[] command);

    private static native void checkForClient0(byte[] command);
}
