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
 * A file of budgets by name, made to be kept with the sources: a line for each, and an indented one for each site of it;
 * columns are separated by tabs. Read and written as a whole, by one JVM and thread at a time.
 */
final class RatchetFile {
    static final class Entry {
        final double bytes; // of an operation
        final String java; // the version that it was measured on
        final List<AllocationSite> sites; // empty when there was no agent

        Entry(double bytes, String java, List<AllocationSite> sites) {
            this.bytes = bytes;
            this.java = java;
            this.sites = sites;
        }
    }

    /** So many of the largest sites are kept of an entry. */
    static final int MOST_SITES = 20;

    private static final int MOST_LINKS = 40;
    private static final Set<PosixFilePermission> WRITERS = EnumSet.of(
        PosixFilePermission.OWNER_WRITE, PosixFilePermission.GROUP_WRITE, PosixFilePermission.OTHERS_WRITE);
    // As a literal it is one object for all class loaders: a lock of the file system is for the whole JVM.
    private static final String WRITING = "hearth.writing-ratchet-file";

    private final Path path;

    RatchetFile(Path path) {
        this.path = path;
    }

    Path path() {
        return path.toAbsolutePath();
    }

    /** Null when the file or the entry is not there. What it throws names the file and, of a wrong one, the line. */
    Entry read(String name) throws IOException {
        return new RatchetText(path(), content(path())).entry(name);
    }

    /** Adds an entry or lowers it; the others stay. One that another check has made as low or lower meanwhile stays too. */
    void write(String name, Entry entry) throws IOException {
        synchronized (WRITING) {
            // Of a link the file that it leads to is the one to write.
            Path file = withoutLinks(path());
            try {
                requireFile(file);
                FileTurn turn = turnAt(file);
                try {
                    update(file, name, entry);
                } finally {
                    turn.close();
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

    private static FileTurn turnAt(Path file) throws IOException {
        // Renaming another over it would pass by what its permissions say.
        if (Files.exists(file) && isReadOnly(file)) throw new AccessDeniedException(file.toString());
        WholeFile.makeFolder(file.getParent());
        return new FileTurn(file);
    }

    // Nobody may write it, which root can, or this user may not.
    private static boolean isReadOnly(Path file) throws IOException {
        if (!Files.isWritable(file)) return true;
        PosixFileAttributeView view = Files.getFileAttributeView(file, PosixFileAttributeView.class);
        return view != null && Collections.disjoint(view.readAttributes().permissions(), WRITERS);
    }

    private IOException unwritable(Path file, FileSystemException error) {
        return new IOException("the ratchet file " + path() + " cannot be written: " + Reason.of(error)
            + "; let this user write it and into " + file.getParent() + ", or run without -D" + AllocationBudget.UPDATE + "=true",
            error);
    }

    private static Path withoutLinks(Path path) throws IOException {
        Path file = path;
        for (int links = 0; Files.isSymbolicLink(file); links++) {
            if (links == MOST_LINKS) throw new IOException("the ratchet file " + path + " is a link that leads in a circle");
            file = file.resolveSibling(Files.readSymbolicLink(file)).normalize();
        }
        return file;
    }

    private void requireFile(Path file) throws IOException {
        if (!Files.exists(file) || Files.isRegularFile(file)) return;
        throw new IOException("the ratchet file " + path() + " is a " + (Files.isDirectory(file) ? "folder" : "device or pipe")
            + "; name a file to keep with the sources, as in ratchet(\"allocation-budgets.txt\")");
    }

    // Empty when it is not there.
    private byte[] content(Path file) throws IOException {
        try {
            if (!Files.exists(file)) return new byte[0];
            requireFile(file);
            return Files.readAllBytes(file);
        } catch (FileSystemException error) {
            throw new IOException("the ratchet file " + path() + " cannot be read: " + Reason.of(error) + "; let this user read it", error);
        }
    }
}
