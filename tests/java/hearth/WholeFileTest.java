package hearth;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class WholeFileTest {
    @Rule public final TemporaryFolder scratch = new TemporaryFolder();

    @Test
    public void makesTheFolderAndReplacesTheFile() throws Exception {
        Path file = scratch.getRoot().toPath().resolve("a/b/file");
        WholeFile.write(file, "first");
        WholeFile.write(file, "second");
        assertEquals("second", new String(Files.readAllBytes(file), "UTF-8"));
        assertArrayEquals("nothing else is left", new String[] {"file"}, file.getParent().toFile().list());
    }

    @Test
    public void writesThroughALinkToTheFolder() throws Exception {
        Path folder = scratch.newFolder("real").toPath();
        Path link = Files.createSymbolicLink(scratch.getRoot().toPath().resolve("link"), folder);
        WholeFile.write(link.resolve("file"), "text");
        assertEquals("text", new String(Files.readAllBytes(folder.resolve("file")), "UTF-8"));
    }

    @Test
    public void aLinkThatSomebodyPutThereIsReplaced() throws Exception {
        Path other = scratch.newFile("other").toPath();
        Path file = Files.createSymbolicLink(scratch.getRoot().toPath().resolve("file"), other);
        WholeFile.write(file, "text");
        assertEquals(0, Files.size(other));
        assertEquals("text", new String(Files.readAllBytes(file), "UTF-8"));
    }
}
