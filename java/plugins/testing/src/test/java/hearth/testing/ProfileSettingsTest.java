package hearth.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class ProfileSettingsTest {
    private static ProfileSettings settings(String format, String file) {
        return new ProfileSettings("", "", format, file, "");
    }

    @Test
    void writesOptionsOfTheAgent() {
        assertEquals("event=cpu", settings("", "").options());
        assertEquals("event=cpu\\,alloc,interval=1ms,threads,exclude=*.park",
            new ProfileSettings("cpu,alloc", "1ms", "", "", "threads,exclude=*.park").options());
    }

    @Test
    void namesFilesByTestAndFormat() {
        assertEquals("app.OrdersTest.sums.html", settings("", "").fileOf("app.OrdersTest.sums"));
        assertEquals("app.OrdersTest.sums-2.pb.gz", settings("pprof", "").fileOf("app.OrdersTest.sums[2]"));
        assertEquals("all.collapsed", settings("", "all.collapsed").fileOf("app.OrdersTest.sums"));
    }

    @Test
    void refusesFormatsThatDoNotFit() {
        assertEquals("a.jfr", settings("jfr", "").fileOf("a"));
        assertEquals("a.otlp", settings("otlp", "").fileOf("a"));
        assertThrows(IllegalArgumentException.class, () -> settings("svg", ""));
        assertThrows(IllegalArgumentException.class, () -> settings("pprof", "x.html"));
    }
}
