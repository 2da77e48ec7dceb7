package hearth;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class LauncherTest {
    private static final byte[] PACKED = "the program".getBytes(StandardCharsets.UTF_8);

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    @Test
    public void unpacksAgainWhatIsAnotherFileOfThatLength() throws Exception {
        Path file = folder.getRoot().toPath().resolve("bin/hearth");
        Launcher.unpack(PACKED, file);
        assertArrayEquals(PACKED, Files.readAllBytes(file));
        Files.write(file, "THE PROGRAM".getBytes(StandardCharsets.UTF_8));
        Launcher.unpack(PACKED, file);
        assertArrayEquals(PACKED, Files.readAllBytes(file));
    }

    @Test
    public void leavesWhatIsTheSame() throws Exception {
        Path file = folder.getRoot().toPath().resolve("hearth");
        Launcher.unpack(PACKED, file);
        FileTime time = FileTime.fromMillis(0);
        Files.setLastModifiedTime(file, time);
        Launcher.unpack(PACKED, file);
        assertEquals(time, Files.getLastModifiedTime(file));
    }

    @Test
    public void replacesALink() throws Exception {
        Path file = folder.getRoot().toPath().resolve("hearth");
        Path other = Files.write(folder.getRoot().toPath().resolve("other"), PACKED);
        Files.createSymbolicLink(file, other);
        Launcher.unpack(PACKED, file);
        assertFalse(Files.isSymbolicLink(file));
    }
}
