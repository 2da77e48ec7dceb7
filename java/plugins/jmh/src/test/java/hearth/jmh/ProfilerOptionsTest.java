package hearth.jmh;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Paths;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.profile.ProfilerException;

class ProfilerOptionsTest {
    @Test
    void measuresCpuByDefault() {
        for (String line : new String[] {null, "", " ; "}) assertEquals("event=cpu", new ProfilerOptions(line).session());
    }

    @Test
    void passesTheAgentsOptionsOn() {
        ProfilerOptions options = new ProfilerOptions("event=alloc,cpu;interval=64k;threads;include=app/*;include=lib/*;dir=x");
        assertEquals("include=app/*,include=lib/*,event=alloc\\,cpu,interval=64k,threads", options.session());
        assertTrue(options.measuresBytes());
        assertFalse(new ProfilerOptions("event=cpu,alloc").measuresBytes());
    }

    @Test
    void namesFilesByBenchmarkForkAndFormat() {
        ProfilerOptions options = new ProfilerOptions("dir=out;output=flamegraph,pprof");
        assertEquals(Arrays.asList("flamegraph", "pprof"), options.formats());
        assertEquals(Paths.get("out/app.Sums.sum-Throughput-size-1_2C0/cpu.html"), options.file("app.Sums.sum-Throughput-size-1%2C0", 0, "flamegraph"));
        assertEquals(Paths.get("out/b/cpu-fork2.pb.gz"), options.file("b", 2, "pprof"));
    }

    @Test
    void refusesWrongOptionsBeforeTheFirstBenchmark() {
        for (String line : new String[] {"output=svg", "dir=", "flat=x", "file=x.html", "session=x"}) {
            assertThrows(IllegalArgumentException.class, () -> new ProfilerOptions(line), line);
        }
        String said = assertThrows(ProfilerException.class, () -> new HearthProfiler("evnt=cpu")).getMessage();
        assertTrue(said.contains("evnt"), said);
        said = assertThrows(ProfilerException.class, () -> new HearthProfiler("help")).getMessage();
        assertTrue(said.contains("interval="), said);
    }
}
