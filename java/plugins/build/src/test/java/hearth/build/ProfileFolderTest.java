package hearth.build;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Arrays;
import java.util.Collections;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProfileFolderTest {
    private static final long BEGAN = 1_000_000;

    @TempDir Path work;

    private Path file(String name, long time) throws IOException {
        Path file = Files.createFile(work.resolve(name));
        Files.setLastModifiedTime(file, FileTime.fromMillis(time));
        return file;
    }

    @Test
    void listsRecordingsOnly() throws IOException {
        Path second = file("test-12.pb.gz", BEGAN);
        Path first = file("run-345.pb.gz", BEGAN);
        file("profile.pb.gz", BEGAN);
        file("test-12.html", BEGAN);
        assertEquals(Arrays.asList(first, second), new ProfileFolder(work).recordings());
        assertEquals(Collections.emptyList(), new ProfileFolder(work.resolve("none")).recordings());
    }

    @Test
    void deletesWhatEarlierBuildsLeft() throws IOException {
        Path old = file("test-1.pb.gz", BEGAN - 1);
        Path oldPage = file("profile.html", BEGAN - 1);
        Path ofThisBuild = file("test-2.pb.gz", BEGAN);
        Path ofOthers = file("notes.txt", BEGAN - 1);
        new ProfileFolder(work).prepare(BEGAN);
        assertFalse(Files.exists(old) || Files.exists(oldPage));
        assertTrue(Files.exists(ofThisBuild) && Files.exists(ofOthers));
        new ProfileFolder(work.resolve("a/b")).prepare(BEGAN);
        assertTrue(Files.isDirectory(work.resolve("a/b")));
    }

    @Test
    void knowsFormatsByWordAndEnding() {
        assertEquals(Arrays.asList("html", "collapsed", "txt", "pb.gz", "jfr", "otlp"), Format.endings("flamegraph, collapsed,flat,pprof,jfr, otlp"));
        assertEquals(Collections.emptyList(), Format.endings(""));
        assertThrows(IllegalArgumentException.class, () -> Format.endings("svg"));
    }
}
