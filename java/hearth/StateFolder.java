package hearth;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * This user's folder for data of hearth: HEARTH_HOME, else ~/.hearth, else /tmp/hearth-UID; the same as the agent's.
 */
public final class StateFolder {
    private StateFolder() {}

    /** Throws IllegalStateException if other users could change its content. */
    public static Path get() {
        try {
            return own(choose());
        } catch (IOException error) {
            throw new IllegalStateException("the folder of hearth cannot be used: " + error + "; choose another with HEARTH_HOME", error);
        }
    }

    private static Path choose() throws IOException {
        String chosen = System.getenv("HEARTH_HOME");
        if (chosen != null && !chosen.isEmpty()) return Paths.get(chosen);
        String home = System.getenv("HOME");
        Path folder = Paths.get(home == null || home.isEmpty() ? System.getProperty("user.home") : home);
        if (Files.isWritable(folder) && Files.isExecutable(folder)) return folder.resolve(".hearth");
        return Paths.get("/tmp/hearth-" + Files.getAttribute(Paths.get("/proc/self"), "unix:uid"));
    }

    /** Creates the folder if it does not exist. */
    static Path own(Path folder) throws IOException {
        if (!Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
            Files.createDirectories(folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        }
        // Not through a link: in /tmp anybody can create one.
        Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(folder, LinkOption.NOFOLLOW_LINKS);
        boolean isOwn = Files.getAttribute(folder, "unix:uid", LinkOption.NOFOLLOW_LINKS)
            .equals(Files.getAttribute(Paths.get("/proc/self"), "unix:uid"));
        if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS) || !isOwn
            || permissions.contains(PosixFilePermission.GROUP_WRITE) || permissions.contains(PosixFilePermission.OTHERS_WRITE)) {
            throw new IllegalStateException(folder + " is not a folder, or other users can change it; "
                + "chown and chmod 700 it, or choose another with HEARTH_HOME");
        }
        return folder;
    }
}
