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
        assertEquals("start --event=cpu --wall=50ms --threads --include=a* --include=b=c 4711",
            told("start,event=cpu,wall,threads,include=a*,include=b=c"));
        assertEquals("stop --output=flat=20,traces --file=/tmp/x.txt 4711", told("stop,flat=20,traces,file=/tmp/x.txt"));
        assertEquals("http --port=127.0.0.1:0 --token=/tmp/t 4711", told("http=127.0.0.1:0,token=/tmp/t"));
        assertEquals("http --socket=/tmp/s 4711", told("http=unix:/tmp/s"));
        assertEquals("stop-http 4711", told("stop-http"));
    }

    @Test
    public void refusesWhatTheLauncherCannotSay() {
        for (String command : new String[] {"", "event=cpu", "start,http=0", "start,stop"}) {
            assertThrows(command, IllegalArgumentException.class, () -> told(command));
        }
    }
}
