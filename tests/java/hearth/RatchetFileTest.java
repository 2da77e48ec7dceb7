package hearth;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;
import static org.junit.Assert.fail;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class RatchetFileTest {
    @Rule public TemporaryFolder folder = new TemporaryFolder();

    private Path path() {
        return folder.getRoot().toPath().resolve("not/there/budgets.txt");
    }

    private static RatchetFile.Entry entry(double bytes, AllocationSite... sites) {
        return new RatchetFile.Entry(bytes, "17", Arrays.asList(sites));
    }

    @Test
    public void readsWhatItWrote() throws IOException {
        RatchetFile file = new RatchetFile(path());
        assertNull(file.read("decode"));
        file.write("decode", entry(24.5, new AllocationSite("byte[]", "java/util/Arrays.copyOf:3", "a/B.c:4", 16, 0.5)));
        file.write("(f \"x\")", entry(0));
        RatchetFile.Entry read = new RatchetFile(path()).read("decode");
        assertEquals(24.5, read.bytes, 0);
        assertEquals("17", read.java);
        assertEquals(1, read.sites.size());
        assertEquals("byte[]\tjava/util/Arrays.copyOf\ta/B.c", read.sites.get(0).key());
        assertEquals(0.5, read.sites.get(0).objects, 0);
        assertEquals(0, file.read("(f \"x\")").bytes, 0);
    }

    @Test
    public void isSortedSoThatAChangeIsALine() throws IOException {
        RatchetFile file = new RatchetFile(path());
        file.write("b", entry(2));
        file.write("a", entry(1));
        String before = text();
        file.write("b", entry(1));
        assertEquals(before.replace("b\t2 bytes", "b\t1 bytes"), text());
        assertTrue(before, before.indexOf("\na\t") < before.indexOf("\nb\t"));
    }

    @Test
    public void anEntryOnlyGoesDown() throws IOException {
        RatchetFile file = new RatchetFile(path());
        file.write("of two checks at once", entry(50));
        String before = text();
        file.write("of two checks at once", entry(100));
        assertEquals(before, text());
        file.write("of two checks at once", entry(49));
        assertEquals(49, file.read("of two checks at once").bytes, 0);
    }

    @Test
    public void writesTheFileThatALinkLeadsTo() throws IOException {
        Path real = folder.newFile("real.txt").toPath();
        Files.createDirectories(path().getParent());
        Files.createSymbolicLink(path(), real);
        new RatchetFile(path()).write("decode", entry(24));
        assertTrue(Files.isSymbolicLink(path()));
        assertEquals(24, new RatchetFile(real).read("decode").bytes, 0);
    }

    @Test
    public void namesALineThatItCannotRead() throws IOException {
        for (String line : new String[] {"decode", "decode\tmany bytes\tJDK 17", "decode\t24\tJDK 17", "\t1 bytes\t1 objects\ta\tb\tc",
            "decode\tNaN bytes\tJDK 17", "decode\tInfinity bytes\tJDK 17", "decode\t-1 bytes\tJDK 17"}) {
            Files.createDirectories(path().getParent());
            Files.write(path(), Collections.singletonList(line));
            try {
                new RatchetFile(path()).read("decode");
                fail(line);
            } catch (IOException error) {
                assertTrue(error.getMessage(), error.getMessage().contains("budgets.txt, line 1 cannot be read"));
            }
        }
    }

    private String text() throws IOException {
        return new String(Files.readAllBytes(path()), StandardCharsets.UTF_8);
    }
}
