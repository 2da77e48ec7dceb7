package hearth.build;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.file.Path;
import java.nio.file.Paths;
import org.junit.jupiter.api.Test;

class RecordingTest {
    private static final Path FILE = Paths.get("/app/target/hearth/test-%p.pb.gz");
    private static final String TO_FILE = ",file=/app/target/hearth/test-%p.pb.gz";

    private static String words(String event, String interval, String options) {
        return new Recording(event, interval, options).words(FILE);
    }

    @Test
    void samplesCpuTimeEveryMillisecond() {
        assertEquals("event=cpu,interval=1ms" + TO_FILE, words(null, null, null));
        assertEquals("event=cpu,event=alloc,interval=1ms" + TO_FILE, words("cpu, alloc", "", " "));
        assertEquals("event=cpu,interval=10ms" + TO_FILE, words("cpu", "10ms", null));
        assertEquals("event=alloc" + TO_FILE, words("alloc", null, null));
    }

    @Test
    void passesOptionsOn() {
        assertEquals("event=wall,threads,jstackdepth=512" + TO_FILE, words("wall", null, "threads, jstackdepth=512"));
        assertThrows(IllegalArgumentException.class, () -> words("cpu", null, "threads,file=/tmp/x.html"));
    }

    @Test
    void refusesFoldersThatTheAgentWouldReadOtherwise() {
        Recording recording = new Recording("cpu", null, null);
        assertThrows(IllegalArgumentException.class, () -> recording.words(Paths.get("/a,b/test-%p.pb.gz")));
        assertThrows(IllegalArgumentException.class, () -> recording.words(Paths.get("/a%p/test-%p.pb.gz")));
    }
}
