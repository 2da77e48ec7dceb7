package hearth;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The turn of one JVM at a file, while others wait: a lock on a file beside it, which is there as long as somebody has
 * the turn. A JVM that ends gives its turn up. Within one JVM use it under a lock of all threads and class loaders.
 */
final class FileTurn implements AutoCloseable {
    private static final long MOST_BYTES = 1 << 30; // of a file that has one block

    private final Path beside;
    private final FileChannel channel;

    /** Waits for the turn. The folder is there. */
    FileTurn(Path file) throws IOException {
        beside = file.resolveSibling("." + file.getFileName() + ".lock");
        FileChannel locked = lock();
        while (!isStillThere(locked)) {
            locked.close();
            locked = lock();
        }
        channel = locked;
    }

    private FileChannel lock() throws IOException {
        FileChannel opened = FileChannel.open(beside, StandardOpenOption.CREATE, StandardOpenOption.WRITE,
            LinkOption.NOFOLLOW_LINKS);
        try {
            opened.lock();
            return opened;
        } catch (IOException | RuntimeException | Error failed) {
            opened.close();
            throw failed;
        }
    }

    // The one who had the turn before removed the file that others were waiting for; then this lock is of no use. The name
    // has the size that this one gave to its file only if it is the same. To read it would not do: closing gives up the lock.
    private boolean isStillThere(FileChannel locked) throws IOException {
        long size = ThreadLocalRandom.current().nextLong(1, MOST_BYTES);
        locked.truncate(0);
        locked.write(ByteBuffer.allocate(1), size - 1);
        try {
            return Files.size(beside) == size;
        } catch (NoSuchFileException removed) {
            return false;
        }
    }

    @Override
    public void close() throws IOException {
        try {
            Files.deleteIfExists(beside);
        } finally {
            channel.close();
        }
    }
}
