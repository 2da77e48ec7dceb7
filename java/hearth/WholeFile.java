package hearth;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Files that are there as a whole or not at all; their folder is made. */
final class WholeFile {
    private WholeFile() {}

    static Path write(Path file, String content) throws IOException {
        Path whole = file.toAbsolutePath();
        Files.createDirectories(whole.getParent());
        Path temporary = whole.resolveSibling("." + whole.getFileName() + "." + System.nanoTime() + ".part");
        try {
            Files.write(temporary, content.getBytes(StandardCharsets.UTF_8));
            return Files.move(temporary, whole, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(temporary);
        }
    }
}
