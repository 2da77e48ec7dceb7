package hearth;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;

import org.junit.Test;

public class OtherJvmTest {
    private static String told(String command) {
        return String.join(" ", OtherJvm.arguments(new Command(command), 4711));
    }

    @Test
    public void saysACommandAsTheLauncherTakesIt() {
        assertEquals("start 4711 --event=cpu --wall --threads --include=a* --include=b=c",
            told("start,event=cpu,wall,threads,include=a*,include=b=c"));
        assertEquals("start 4711 --event=cpu,page-faults,lock", told("start,event=cpu,page-faults,event=lock"));
        assertEquals("stop 4711 --output=flat=20,traces --file=/tmp/x.txt", told("stop,flat=20,traces,file=/tmp/x.txt"));
        assertEquals("http 4711 --port=127.0.0.1:0 --token=/tmp/t", told("http=127.0.0.1:0,token=/tmp/t"));
        assertEquals("http 4711 --socket=/tmp/s", told("http=unix:/tmp/s"));
        assertEquals("stop-http 4711", told("stop-http"));
    }

    @Test
    public void refusesWhatTheLauncherCannotSay() {
        for (String command : new String[] {"", "event=cpu", "start,http=0", "start,stop"}) {
            assertThrows(command, IllegalArgumentException.class, () -> told(command));
        }
    }
}
