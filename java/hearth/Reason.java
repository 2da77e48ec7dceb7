package hearth;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/** The reason why a file could not be read or written, in words: the JDK's messages are often just the path. */
final class Reason {
    private Reason() {}

    static String of(IOException error) {
        if (error instanceof AccessDeniedException) return "permission denied";
        if (error instanceof NoSuchFileException) return "no such file or folder";
        if (error instanceof FileAlreadyExistsException) return ((FileSystemException) error).getFile() + " already exists";
        boolean isKnown = error instanceof FileSystemException && ((FileSystemException) error).getReason() != null;
        return isKnown ? ((FileSystemException) error).getReason() : error.getMessage() != null ? error.getMessage() : error.toString();
    }
}
