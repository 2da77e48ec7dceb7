package hearth;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.Test;

public class JsonTest {
    @Test
    public void readsWhatItWrites() {
        Map<String, Object> value = new LinkedHashMap<>();
        value.put("text", "a \"quoted\" \\ \n \u00e4 \u2026");
        value.put("list", Arrays.asList(1L, -2.5, true, false, null));
        value.put("nothing", new LinkedHashMap<>());
        assertEquals(value, Json.read(Json.write(value)));
        assertEquals("{\"a\":\"\\u000a\"}", Json.write(Json.read(" { \"a\" : \"\\n\" } ")));
        assertEquals("\u00e4/", Json.read("\"\\u00e4\\/\""));
    }

    @Test
    public void refusesWhatIsNone() {
        String deep = new String(new char[1000]).replace("\0", "[");
        for (String text : new String[] {"", "{", "[1,", "[1 2]", "{\"a\" 1}", "\"a", "tru", "--", "1 2", "{1:2}", "\"\\u00", deep}) {
            assertThrows(text, IllegalArgumentException.class, () -> Json.read(text));
        }
    }
}
