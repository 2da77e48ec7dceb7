package hearth.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Paths;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class OutputFolderTest {
    @AfterEach
    void unset() {
        System.clearProperty("hearth.output-dir");
    }

    @Test
    void isNextToTheClassesOfTheTest() {
        // Maven compiles this test into target/test-classes.
        assertEquals("target", OutputFolder.of(OutputFolderTest.class).getParent().getFileName().toString());
        assertEquals("hearth", OutputFolder.of(OutputFolderTest.class).getFileName().toString());
    }

    @Test
    void isInTheWorkingDirectoryForAClassWithoutFile() {
        assertEquals(Paths.get("target/hearth").toAbsolutePath(), OutputFolder.of(String.class));
    }

    @Test
    void isTheOneOfTheProperty() {
        System.setProperty("hearth.output-dir", "elsewhere");
        assertEquals(Paths.get("elsewhere").toAbsolutePath(), OutputFolder.of(OutputFolderTest.class));
    }
}
