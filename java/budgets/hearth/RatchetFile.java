package hearth;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * A file of budgets by name, made to be kept with the sources: one line per entry and an indented line for each of its
 * sites, with columns separated by tabs. Read and written as a whole, by one JVM and thread at a time.
 */
final class RatchetFile {
    static final class Entry {
        final double bytes; // per operation
        final String java; // version of the measured JDK
        final List<AllocationSite> sites; // empty without an agent

        Entry(double bytes, String java, List<AllocationSite> sites) {
            this.bytes = bytes;
            this.java = java;
            this.sites = sites;
        }
    }

    /** Number of sites, the largest, that are kept per entry. */
    static final int MOST_SITES = 20;

    private static final int MOST_LINKS = 40;
    private static final Set<PosixFilePermission> WRITERS = EnumSet.of(
        PosixFilePermission.OWNER_WRITE, PosixFilePermission.GROUP_WRITE, PosixFilePermission.OTHERS_WRITE);
    // A lock. As a literal it is one object for all class loaders; a lock of the file system belongs to the whole JVM.
    private static final String WRITING = "hearth.writing-ratchet-file";

    private final Path path;

    RatchetFile(Path path) {
        this.path = path;
    }

    Path path() {
        return path.toAbsolutePath();
    }

    /**
     * Null if the file or the entry does not exist. Its exceptions name the file and, for a malformed one, the line.
     */
    Entry read(String name) throws IOException {
        return new RatchetText(path(), content(path())).entry(name);
    }

    /**
     * Adds an entry or lowers it and keeps the others. Also keeps an entry that another check has meanwhile made as low
     * or lower.
     */
    void write(String name, Entry entry) throws IOException {
        synchronized (WRITING) {
            // The target of a link, so that the link stays.
            Path file = withoutLinks(path());
            try {
                requireFile(file);
                CrossJvmLock lock = lockOf(file);
                try {
                    update(file, name, entry);
                } finally {
                    lock.close();
                }
            } catch (FileSystemException error) {
                throw unwritable(file, error);
            }
        }
    }

    private void update(Path file, String name, Entry entry) throws IOException {
        RatchetText text = new RatchetText(path(), content(file));
        Entry present = text.entry(name);
        if (present != null && present.bytes <= entry.bytes) return;
        text.put(name, entry);
        WholeFile.rewrite(file, text.toString());
    }

    private static CrossJvmLock lockOf(Path file) throws IOException {
        // Renaming another file over it would ignore its permissions.
        if (Files.exists(file) && isReadOnly(file)) throw new AccessDeniedException(file.toString());
        WholeFile.makeFolder(file.getParent());
        return new CrossJvmLock(file);
    }

    // True if it has no write permission, which root ignores, or if this user may not write it.
    private static boolean isReadOnly(Path file) throws IOException {
        if (!Files.isWritable(file)) return true;
        PosixFileAttributeView view = Files.getFileAttributeView(file, PosixFileAttributeView.class);
        return view != null && Collections.disjoint(view.readAttributes().permissions(), WRITERS);
    }

    private IOException unwritable(Path file, FileSystemException error) {
        return new IOException("the ratchet file " + path() + " cannot be written: " + Reason.of(error)
            + "; give this user write permission for it and for " + file.getParent() + ", or run without -D" + AllocationBudget.UPDATE + "=true",
            error);
    }

    private static Path withoutLinks(Path path) throws IOException {
        Path file = path;
        for (int links = 0; Files.isSymbolicLink(file); links++) {
            if (links == MOST_LINKS) throw new IOException("the ratchet file " + path + " is a link in a cycle of links");
            file = file.resolveSibling(Files.readSymbolicLink(file)).normalize();
        }
        return file;
    }

    private void requireFile(Path file) throws IOException {
        if (!Files.exists(file) || Files.isRegularFile(file)) return;
        throw new IOException("the ratchet file " + path() + " is a " + (Files.isDirectory(file) ? "folder" : "device or pipe")
            + "; name a file to keep with the sources, as in ratchet(\"allocation-budgets.txt\")");
    }

    // Empty if the file does not exist.
    private byte[] content(Path file) throws IOException {
        try {
            if (!Files.exists(file)) return new byte[0];
            requireFile(file);
            return Files.readAllBytes(file);
        } catch (FileSystemException error) {
            throw new IOException("the ratchet file " + path() + " cannot be read: " + Reason.of(error) + "; give this user read permission", error);
        }
    }
}
