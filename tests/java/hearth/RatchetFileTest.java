package hearth;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;
import static org.junit.Assert.fail;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
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
            "decode\tNaN bytes\tJDK 17", "decode\tInfinity bytes\tJDK 17", "decode\t-1 bytes\tJDK 17", "decode\t1e23 bytes\tJDK 17", "decode\t0x1p3 bytes\tJDK 17"}) {
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

    private void expectFailure(Path file, boolean writes, String... words) throws IOException {
        try {
            if (writes) new RatchetFile(file).write("decode", entry(1));
            else new RatchetFile(file).read("decode");
            fail(words[0]);
        } catch (IOException error) {
            for (String word : words) assertTrue(error.getMessage(), error.getMessage().contains(word));
        }
    }

    private void put(String content) throws IOException {
        Files.createDirectories(path().getParent());
        Files.write(path(), content.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    public void twoEntriesOfOneNameAreRefused() throws IOException {
        put("decode\t24 bytes\tJDK 17\n\nother\t1 bytes\tJDK 17\ndecode\t64 bytes\tJDK 17\n");
        expectFailure(path(), false, "budgets.txt, lines 1 and 4 are two entries for decode");
    }

    @Test
    public void aByteOrderMarkIsNoPartOfAName() throws IOException {
        put("\uFEFFdecode\t24 bytes\tJDK 17\r\n");
        assertEquals(24, new RatchetFile(path()).read("decode").bytes, 0);
    }

    @Test
    public void commentsStay() throws IOException {
        put("# ours\n#\n\n# and more\n\n# why so many\nc\t24 bytes\tJDK 17\n\n# of what follows\n\n# of d\n"
            + "d\t8 bytes\tJDK 17\n# the end\n");
        new RatchetFile(path()).write("c", entry(16));
        new RatchetFile(path()).write("a", entry(1));
        assertEquals("# ours\n#\n\n# and more\n\na\t1 bytes\tJDK 17\n\n# why so many\nc\t16 bytes\tJDK 17\n\n"
            + "# of what follows\n# of d\nd\t8 bytes\tJDK 17\n\n# the end\n", text());
    }

    @Test
    public void whatIsNoFileIsLeftAlone() throws IOException {
        expectFailure(folder.getRoot().toPath(), false, folder.getRoot() + " is a folder; name a file");
        expectFailure(folder.getRoot().toPath(), true, folder.getRoot() + " is a folder; name a file");
        expectFailure(Paths.get("/dev/null"), true, "/dev/null is a device");
        assertFalse(Files.isRegularFile(Paths.get("/dev/null")));
        assertFalse(Files.exists(Paths.get("/dev/.null.lock")));
    }

    @Test
    public void permissionsStay() throws IOException {
        put("");
        for (String permissions : new String[] {"rw-rw-r--", "rw-------", "rwxr-x---"}) {
            Files.setPosixFilePermissions(path(), PosixFilePermissions.fromString(permissions));
            new RatchetFile(path()).write(permissions, entry(1));
            assertEquals(permissions, PosixFilePermissions.toString(Files.getPosixFilePermissions(path())));
        }
    }

    @Test
    public void aFileThatIsNotToBeWrittenIsRefused() throws IOException {
        put("decode\t24 bytes\tJDK 17\n");
        Files.setPosixFilePermissions(path(), PosixFilePermissions.fromString("r--r--r--"));
        expectFailure(path(), true, "ratchet file " + path() + " cannot be written: permission denied", "give this user write permission");
        assertEquals("decode\t24 bytes\tJDK 17\n", text());
    }

    @Test
    public void aFolderThatCannotBeMadeIsNamed() throws IOException {
        Path file = folder.newFile("file").toPath();
        expectFailure(file.resolve("budgets.txt"), true, "budgets.txt cannot be written: " + file + " already exists");
    }

    @Test
    public void aLinkToNothingYetIsFollowed() throws IOException {
        Path real = folder.getRoot().toPath().resolve("real/budgets.txt");
        Path link = Files.createSymbolicLink(folder.getRoot().toPath().resolve("link"), Paths.get("real/budgets.txt"));
        new RatchetFile(link).write("decode", entry(24));
        assertTrue(Files.isSymbolicLink(link));
        assertEquals(24, new RatchetFile(real).read("decode").bytes, 0);
        Path circle = folder.getRoot().toPath().resolve("circle");
        Files.createSymbolicLink(circle, circle);
        expectFailure(circle, true, "circle is a link in a cycle of links");
    }

    @Test
    public void aLineThatIsNotUtf8IsNamed() throws IOException {
        Files.createDirectories(path().getParent());
        Files.write(path(), new byte[] {'#', ' ', 'a', '\n', 'b', (byte) 0xff, '\n'});
        expectFailure(path(), false, "budgets.txt, line 2 is not UTF-8");
    }

    /** Adds entries to a file: FILE PREFIX COUNT. */
    public static final class Adder {
        public static void main(String[] arguments) throws IOException {
            for (int i = 0; i < Integer.parseInt(arguments[2]); i++) {
                new RatchetFile(Paths.get(arguments[0])).write(arguments[1] + i, entry(i));
            }
        }
    }

    @Test
    public void nothingIsLostBetweenJvms() throws Exception {
        int added = 60;
        List<Process> adders = new ArrayList<>();
        for (String prefix : new String[] {"a", "b", "c", "d"}) {
            adders.add(new ProcessBuilder(System.getProperty("java.home") + "/bin/java", "-XX:TieredStopAtLevel=1", "-cp",
                System.getProperty("java.class.path"), Adder.class.getName(), path().toString(), prefix, "" + added).inheritIO().start());
        }
        for (Process adder : adders) assertEquals(0, adder.waitFor());
        String text = text();
        for (String prefix : new String[] {"a", "b", "c", "d"}) {
            for (int i = 0; i < added; i++) assertTrue(prefix + i, text.contains("\n" + prefix + i + "\t"));
        }
        assertArrayEquals("nothing else is left", new String[] {"budgets.txt"}, path().getParent().toFile().list());
    }

    private String text() throws IOException {
        return new String(Files.readAllBytes(path()), StandardCharsets.UTF_8);
    }
}
