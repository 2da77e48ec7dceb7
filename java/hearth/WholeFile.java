package hearth;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.UUID;

/** Files that are there as a whole or not at all; their folder is made. */
final class WholeFile {
    private WholeFile() {}

    static Path write(Path file, String content) throws IOException {
        Path whole = file.toAbsolutePath();
        // Before JDK 20 createDirectories fails on a symbolic link to a folder.
        if (!Files.isDirectory(whole.getParent())) Files.createDirectories(whole.getParent());
        // In a folder that others may write into, too, nobody can have put a link there.
        Path temporary = whole.resolveSibling("." + whole.getFileName() + "." + UUID.randomUUID() + ".part");
        try {
            Files.write(temporary, content.getBytes(StandardCharsets.UTF_8), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
            return Files.move(temporary, whole, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(temporary);
        }
    }
}
