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
 * Excludes other JVMs from a file: a lock on a file next to it, which exists while some JVM holds the lock. A JVM that
 * ends releases its lock. Within one JVM use it under a lock of all threads and class loaders.
 */
final class CrossJvmLock implements AutoCloseable {
    private static final long MOST_BYTES = 1 << 30; // of a sparse file with one block

    private final Path lockFile;
    private final FileChannel channel;

    /** Waits for the lock. The folder has to exist. */
    CrossJvmLock(Path file) throws IOException {
        lockFile = file.resolveSibling("." + file.getFileName() + ".lock");
        FileChannel locked = lock();
        while (!isStillThere(locked)) {
            locked.close();
            locked = lock();
        }
        channel = locked;
    }

    private FileChannel lock() throws IOException {
        FileChannel opened = FileChannel.open(lockFile, StandardOpenOption.CREATE, StandardOpenOption.WRITE,
            LinkOption.NOFOLLOW_LINKS);
        try {
            opened.lock();
            return opened;
        } catch (IOException | RuntimeException | Error failed) {
            opened.close();
            throw failed;
        }
    }

    // False if the previous holder removed the file that others were waiting for: this lock is then useless. The path
    // has the size that this JVM gave its file only if it is the same file. Reading it is not possible: closing a
    // channel of the file releases the lock.
    private boolean isStillThere(FileChannel locked) throws IOException {
        long size = ThreadLocalRandom.current().nextLong(1, MOST_BYTES);
        locked.truncate(0);
        locked.write(ByteBuffer.allocate(1), size - 1);
        try {
            return Files.size(lockFile) == size;
        } catch (NoSuchFileException removed) {
            return false;
        }
    }

    @Override
    public void close() throws IOException {
        try {
            Files.deleteIfExists(lockFile);
        } finally {
            channel.close();
        }
    }
}
