package hearth;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.UUID;

/** Files that are there as a whole or not at all, also after a power cut; their folder is made. A link is replaced. */
final class WholeFile {
    private WholeFile() {}

    static Path write(Path file, String content) throws IOException {
        Path whole = file.toAbsolutePath();
        // Before JDK 20 createDirectories fails on a symbolic link to a folder.
        if (!Files.isDirectory(whole.getParent())) Files.createDirectories(whole.getParent());
        // In a folder that others may write into, too, nobody can have put a link there.
        Path temporary = whole.resolveSibling("." + whole.getFileName() + "." + UUID.randomUUID() + ".part");
        try {
            try (FileChannel channel = FileChannel.open(temporary, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
                ByteBuffer rest = ByteBuffer.wrap(content.getBytes(StandardCharsets.UTF_8));
                while (rest.hasRemaining()) channel.write(rest);
                channel.force(true);
            }
            return Files.move(temporary, whole, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(temporary);
        }
    }
}
