package hearth;

import static org.junit.Assert.assertEquals;

import java.util.Arrays;
import java.util.Collections;
import org.junit.Test;

public class CommandTest {
    @Test
    public void splitsAtCommas() {
        assertEquals(Arrays.asList("start", "event=cpu", "file=/x"), Command.words("start,event=cpu,,file=/x,"));
        assertEquals(Collections.emptyList(), Command.words(""));
        assertEquals(Arrays.asList("title=a, b", "/\\d\\\\d/", "x\\"), Command.words("title=a\\, b,/\\d\\\\d/,x\\"));
    }

    @Test
    public void readsWhatItEscapes() {
        assertEquals("title=a\\, b", Profiler.option("title", "a, b"));
        for (String value : new String[] {"", ",", "\\", "\\,", "\\\\,\\\\", "a,,b\\", "/\\d,\\\\w\\,/i", "a\\\\\\"}) {
            assertEquals(Arrays.asList("title=" + value, "dot"), Command.words(Profiler.option("title", value) + ",dot"));
        }
    }
}
