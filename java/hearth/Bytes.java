package hearth;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.util.UUID;

/** Reads streams to their end and writes files atomically. */
final class Bytes {
    private Bytes() {}

    /** Closes the stream. */
    static byte[] readAll(InputStream stream) throws IOException {
        try (InputStream in = stream) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            byte[] some = new byte[1 << 16];
            for (int count = in.read(some); count >= 0; count = in.read(some)) bytes.write(some, 0, count);
            return bytes.toByteArray();
        }
    }

    /** The folder has to exist; a file of that name is replaced. */
    static void write(Path file, byte[] content, FileAttribute<?>... attributes) throws IOException {
        Path part = file.resolveSibling("." + UUID.randomUUID() + ".part");
        try {
            Files.createFile(part, attributes);
            Files.write(part, content);
            Files.move(part, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(part);
        }
    }
}
