package hearth.build;

import hearth.Profiler;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Runs the command line {@code java -jar hearth.jar ARGUMENT...} to its end. Thread safe. */
final class HearthCommand {
    /** Exit status of {@code hearth diff --fail-above} if something grew. */
    static final int GREW = 3;

    final int status;
    final String output;
    final String errors;

    private HearthCommand(int status, String output, String errors) {
        this.status = status;
        this.output = output;
        this.errors = errors;
    }

    /**
     * Runs the command; waits for its end.
     *
     * @throws IllegalStateException with the command's message unless it ends with 0 or {@link #GREW}, or if the thread
     *     is interrupted
     */
    static HearthCommand run(List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>(Arrays.asList(java(), "-cp", jar().toString()));
        String library = System.getProperty("hearth.library-path");
        if (library != null) command.add("-Dhearth.library-path=" + library);
        command.add("hearth.Main");
        command.addAll(arguments);
        Path errors = Files.createTempFile("hearth-", ".txt");
        try {
            Process process = new ProcessBuilder(command).redirectInput(new File("/dev/null")).redirectError(errors.toFile()).start();
            String output = text(process.getInputStream());
            int status = process.waitFor();
            String said = new String(Files.readAllBytes(errors), StandardCharsets.UTF_8).trim().replaceAll("(?m)^hearth: ", "");
            if (status != 0 && status != GREW) throw new IllegalStateException(said);
            return new HearthCommand(status, output, said);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while hearth " + arguments.get(0) + " ran", interrupted);
        } finally {
            Files.delete(errors);
        }
    }

    private static String java() {
        return Paths.get(System.getProperty("java.home"), "bin", "java").toString();
    }

    private static Path jar() {
        try {
            return Paths.get(Profiler.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException error) {
            throw new IllegalStateException("hearth.jar cannot be found: " + error.getMessage(), error);
        }
    }

    private static String text(InputStream stream) throws IOException {
        try (InputStream in = stream) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            byte[] some = new byte[1 << 16];
            for (int count = in.read(some); count >= 0; count = in.read(some)) bytes.write(some, 0, count);
            return new String(bytes.toByteArray(), StandardCharsets.UTF_8);
        }
    }
}
