package hearth;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32;

/**
 * The program {@code hearth}: bin/hearth next to the lib/libhearth.so that the system property {@code
 * hearth.library-path} names, else the one in the jar, which is unpacked permanently into the folder of hearth.
 */
final class Launcher {
    private static Path found;

    /** Output of the program. */
    static final class Answer {
        final byte[] output; // the standard output
        final byte[] said; // the standard error

        Answer(byte[] output, byte[] said) {
            this.output = output;
            this.said = said;
        }
    }

    private Launcher() {}

    /**
     * Throws IllegalArgumentException if the program rejects its arguments, IllegalStateException if it fails; with its
     * message.
     */
    static Answer run(List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(file().toString());
        command.addAll(arguments);
        try {
            Process process =
                new ProcessBuilder(command).redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null"))).start();
            Reader said = new Reader(process.getErrorStream());
            byte[] output = Bytes.readAll(process.getInputStream());
            said.end();
            int status = end(process);
            if (status == 0) return new Answer(output, said.bytes);
            String why = new String(said.bytes, StandardCharsets.UTF_8).trim().replaceFirst("(?m)^hearth: ", "");
            if (status == 2) throw new IllegalArgumentException(why);
            throw new IllegalStateException(why);
        } catch (IOException error) {
            throw new IllegalStateException("the launcher of hearth cannot be run: " + error.getMessage(), error);
        }
    }

    /** Throws IllegalStateException if there is none. */
    static synchronized Path file() {
        if (found == null) {
            try {
                found = find();
            } catch (IOException error) {
                throw new IllegalStateException("the launcher of hearth cannot be unpacked: " + Reason.of(error)
                    + "; choose another folder with HEARTH_HOME", error);
            }
        }
        return found;
    }

    /** The agent next to the launcher, as a file that stays. */
    static Path agent() {
        return file().getParent().resolveSibling("lib").resolve("libhearth.so");
    }

    private static Path find() throws IOException {
        String named = System.getProperty("hearth.library-path");
        if (named != null) {
            Path path = Paths.get(named).toAbsolutePath().normalize();
            Path folder = Files.isDirectory(path) ? path : path.getParent();
            Path beside = folder.resolveSibling("bin").resolve("hearth");
            if (Files.isExecutable(beside)) return beside;
        }
        byte[] launcher = packed("hearth");
        byte[] agent = packed("libhearth.so");
        CRC32 sum = new CRC32();
        sum.update(launcher);
        sum.update(agent);
        Path folder = StateFolder.get().resolve("launcher").resolve(Long.toHexString(sum.getValue()));
        unpack(agent, folder.resolve("lib/libhearth.so"));
        Path file = folder.resolve("bin/hearth");
        unpack(launcher, file);
        return file;
    }

    private static byte[] packed(String name) throws IOException {
        try (InputStream stream = Launcher.class.getResourceAsStream(Platform.folder() + name)) {
            if (stream == null) throw new IllegalStateException(Platform.missing(name));
            return Bytes.readAll(stream);
        }
    }

    /** Makes the file equal to the jar's content: it will run with the rights of this user. */
    static void unpack(byte[] content, Path file) throws IOException {
        boolean isThere = Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) && Files.size(file) == content.length
            && Arrays.equals(Files.readAllBytes(file), content);
        if (isThere) return;
        Files.createDirectories(file.getParent());
        Bytes.write(file, content, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
    }

    // Waits even if interrupted, as a REPL interrupts an evaluation, so that no session is left half started.
    private static int end(Process process) {
        boolean isInterrupted = false;
        try {
            for (;;) {
                try {
                    return process.waitFor();
                } catch (InterruptedException interrupted) {
                    isInterrupted = true;
                }
            }
        } finally {
            if (isInterrupted) Thread.currentThread().interrupt();
        }
    }

    /** Reads a stream to its end while another one is read. */
    private static final class Reader extends Thread {
        private final InputStream stream;
        private byte[] bytes = {};

        Reader(InputStream stream) {
            super("hearth launcher");
            this.stream = stream;
            setDaemon(true);
            start();
        }

        @Override
        public void run() {
            try {
                bytes = Bytes.readAll(stream);
            } catch (IOException closed) {
                // Treated as empty.
            }
        }

        void end() {
            boolean isInterrupted = false;
            while (isAlive()) {
                try {
                    join();
                } catch (InterruptedException interrupted) {
                    isInterrupted = true;
                }
            }
            if (isInterrupted) Thread.currentThread().interrupt();
        }
    }
}
