package hearth;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.UUID;

/** Writes files atomically, also if power fails, and creates their folder. A link is replaced. */
final class WholeFile {
    private WholeFile() {}

    static Path write(Path file, String content) throws IOException {
        return write(file, content, null);
    }

    /** As write; an existing file keeps its permissions and, as far as this user may set them, its owner and group. */
    static Path rewrite(Path file, String content) throws IOException {
        PosixFileAttributeView view = Files.getFileAttributeView(file, PosixFileAttributeView.class);
        return write(file, content, Files.exists(file) && view != null ? view.readAttributes() : null);
    }

    private static Path write(Path file, String content, PosixFileAttributes kept) throws IOException {
        Path whole = file.toAbsolutePath();
        makeFolder(whole.getParent());
        // A random name: in a folder where others may write, nobody can have put a link there.
        Path temporary = whole.resolveSibling("." + whole.getFileName() + "." + UUID.randomUUID() + ".part");
        try {
            try (FileChannel channel = FileChannel.open(temporary, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
                ByteBuffer rest = ByteBuffer.wrap(content.getBytes(StandardCharsets.UTF_8));
                while (rest.hasRemaining()) channel.write(rest);
                channel.force(true);
            }
            if (kept != null) keep(kept, temporary);
            Files.move(temporary, whole, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
            sync(whole.getParent());
            return whole;
        } finally {
            Files.deleteIfExists(temporary);
        }
    }

    // The new name is on the disk when the folder is. Where that is impossible, the synced file has to do.
    private static void sync(Path folder) {
        try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        } catch (IOException notPossible) {
            return;
        }
    }

    // Before JDK 20 createDirectories fails on a symbolic link to a folder.
    static void makeFolder(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) Files.createDirectories(folder);
    }

    private static void keep(PosixFileAttributes kept, Path file) throws IOException {
        PosixFileAttributeView view = Files.getFileAttributeView(file, PosixFileAttributeView.class);
        PosixFileAttributes own = view.readAttributes();
        try {
            if (!own.group().equals(kept.group())) view.setGroup(kept.group());
            if (!own.owner().equals(kept.owner())) view.setOwner(kept.owner());
        } catch (IOException notAllowed) {
            // The file belongs to this user, as any file that this user writes.
        }
        view.setPermissions(kept.permissions());
    }
}
