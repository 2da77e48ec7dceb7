package hearth;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class StateFolderTest {
    @Rule public final TemporaryFolder scratch = new TemporaryFolder();

    @Test
    public void isOfThisUserAlone() throws Exception {
        Path folder = scratch.getRoot().toPath().resolve("a/b");
        StateFolder.own(folder);
        assertEquals("rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(folder)));
        assertEquals(folder, StateFolder.own(folder));
    }

    @Test
    public void isNothingThatOthersCanChange() throws Exception {
        Path folder = scratch.newFolder("real").toPath();
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
        Path link = Files.createSymbolicLink(scratch.getRoot().toPath().resolve("link"), folder);
        assertThrows(IllegalStateException.class, () -> StateFolder.own(link));
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwx---"));
        assertThrows(IllegalStateException.class, () -> StateFolder.own(folder));
        Path file = scratch.newFile("file").toPath();
        assertThrows(IllegalStateException.class, () -> StateFolder.own(file));
    }
}
