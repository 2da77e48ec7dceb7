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

/** Files that are there as a whole or not at all, also after a power cut; their folder is made. A link is replaced. */
final class WholeFile {
    private WholeFile() {}

    static Path write(Path file, String content) throws IOException {
        return write(file, content, null);
    }

    /** As write; a file that is there keeps its permissions and, as far as this user may do that, its owner and group. */
    static Path rewrite(Path file, String content) throws IOException {
        PosixFileAttributeView view = Files.getFileAttributeView(file, PosixFileAttributeView.class);
        return write(file, content, Files.exists(file) && view != null ? view.readAttributes() : null);
    }

    private static Path write(Path file, String content, PosixFileAttributes kept) throws IOException {
        Path whole = file.toAbsolutePath();
        makeFolder(whole.getParent());
        // In a folder that others may write into, too, nobody can have put a link there.
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

    // The new name is on the disk when the folder is. Where that cannot be, the file itself is as good.
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
            // Then it is this user's, as any file is that this user writes.
        }
        view.setPermissions(kept.permissions());
    }
}
