package hearth;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;

import org.junit.Test;

public class PlatformTest {
    @Test
    public void isAFolderForEachProcessor() {
        assertEquals("linux-x64/", Platform.folder("Linux", "amd64"));
        assertEquals("linux-arm64/", Platform.folder("Linux", "aarch64"));
    }

    @Test
    public void othersAreRefusedInOneLine() {
        String[][] others = {{"Mac OS X", "aarch64"}, {"Windows 11", "amd64"}, {"Linux", "riscv64"}, {"Linux", "i386"}};
        for (String[] other : others) {
            String message = assertThrows(IllegalStateException.class, () -> Platform.folder(other[0], other[1])).getMessage();
            assertEquals("hearth runs on Linux on x86-64 and aarch64, not on " + other[0] + " on " + other[1], message);
        }
    }
}
