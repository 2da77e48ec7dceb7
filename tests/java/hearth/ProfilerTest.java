package hearth;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.RuntimeMBeanException;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Of this JVM, which was started with no flag for it. */
public class ProfilerTest {
    @Rule public final TemporaryFolder scratch = new TemporaryFolder();
    private final Profiler profiler = Profiler.here();
    private static volatile double sink;

    // Until the session has seen it.
    private void work() {
        long deadline = System.nanoTime() + 60_000_000_000L;
        while (!profiler.dump("collapsed").contains("ProfilerTest.work")) {
            assertTrue("no sample of work() in 60 s", System.nanoTime() < deadline);
            for (int i = 0; i < 1_000_000; i++) sink += Math.sqrt(i);
        }
    }

    @Test
    public void givesAProfileAsTextBytesAndFile() throws Exception {
        assertTrue(profiler.start("event=cpu,interval=1ms").startsWith("Profiling started"));
        work();
        assertTrue(profiler.getStatus(), profiler.getStatus().contains("samples"));
        assertTrue(profiler.stop("collapsed").contains("hearth/ProfilerTest.work"));
        byte[] pprof = profiler.dumpToBytes("pprof");
        assertEquals("gzip", 0x1f, pprof[0]);
        Path page = profiler.dump(scratch.getRoot().toPath().resolve("p.html"));
        assertTrue(new String(Files.readAllBytes(page), StandardCharsets.UTF_8).contains("<html"));
        assertEquals(1, page.getParent().toFile().list().length);
    }

    @Test
    public void aSessionEndsWithItsBlock() throws Exception {
        Path file = scratch.getRoot().toPath().resolve("p.collapsed");
        try (Profiler.Session session = profiler.session("event=cpu,interval=1ms,alloc").into(file)) {
            assertTrue(session.message().startsWith("Profiling started"));
            String running = assertThrows(IllegalStateException.class, () -> profiler.session("event=alloc")).getMessage();
            assertTrue(running, running.matches(".*hearth stop --session \\.java-\\S+ " + ThisJvm.pid() + "\\b.*"));
            try (Profiler.Session other = profiler.session("event=cpu,interval=2ms")) {
                assertThrows(IllegalStateException.class, () -> profiler.stop("collapsed")); // both are private
                assertTrue(other.stop("flat=1").contains("engine"));
            }
            work();
        }
        assertTrue(new String(Files.readAllBytes(file), StandardCharsets.UTF_8).contains("ProfilerTest.work"));
        assertThrows(IllegalStateException.class, () -> profiler.stop("collapsed"));
        try (Profiler.Session session = profiler.session("event=cpu,interval=1ms")) {
            work();
            assertTrue(session.stop("collapsed").contains("ProfilerTest.work"));
        }
    }

    @Test
    public void whatCannotBeWrittenIsToldBeforeTheWork() throws Exception {
        Path file = scratch.getRoot().toPath().resolve("missing/p.html");
        Profiler.Session session = profiler.session("event=cpu");
        String text = assertThrows(IllegalArgumentException.class, () -> session.into(file)).getMessage();
        assertEquals(file + " cannot be written: the folder " + file.getParent() + " does not exist", text);
        assertFalse(profiler.getStatus(), profiler.getStatus().contains("Profiling is running"));
        profiler.start("event=cpu");
        assertThrows(IllegalArgumentException.class, () -> profiler.stop(file));
        assertThrows(IllegalArgumentException.class, () -> profiler.dump(scratch.getRoot().toPath()));
        assertTrue(profiler.getStatus(), profiler.getStatus().contains("Profiling is running"));
        profiler.stop("flat=1");
    }

    @Test
    public void convertsWhatIsStored() throws Exception {
        Path stacks = scratch.newFile("s.collapsed").toPath();
        Files.write(stacks, "a;b 3\na;c 1\n".getBytes(StandardCharsets.UTF_8));
        String page = new String(Profiler.convert(stacks, "flamegraph,title=Title"), StandardCharsets.UTF_8);
        assertTrue(page.contains("<title>Title"));
        assertEquals("a;b 3\n", new String(Profiler.convert(stacks, "collapsed,include=b"), StandardCharsets.UTF_8));
        Files.write(stacks, "[main tid=1];a 3\n[other tid=2];a 1\n".getBytes(StandardCharsets.UTF_8));
        byte[] part = Profiler.convert(stacks, "collapsed,label=thread:main");
        assertEquals("[main tid=1];a 3\n", new String(part, StandardCharsets.UTF_8));
        assertThrows(IllegalStateException.class, () -> Profiler.convert(stacks, "collapsed,label=thread:x"));
        assertThrows(IllegalArgumentException.class, () -> Profiler.convert(stacks, "title=x"));
        assertThrows(IllegalArgumentException.class, () -> Profiler.convert(stacks, "collapsed,nosuch"));
    }

    @Test
    public void comparesWhatIsStored() throws Exception {
        Path before = scratch.newFile("before.collapsed").toPath();
        Path after = scratch.newFile("after.collapsed").toPath();
        Files.write(before, "a;b 3\na;c 1\n".getBytes(StandardCharsets.UTF_8));
        Files.write(after, "a;b 5\n".getBytes(StandardCharsets.UTF_8));
        assertEquals("a;b 3 5\na;c 1 0\n", new String(Profiler.compare(before, after, "collapsed"), StandardCharsets.UTF_8));
        String page = new String(Profiler.compare(before, after, "html,title=Title,absolute"), StandardCharsets.UTF_8);
        assertTrue(page.contains("<title>Title"));
        assertThrows(IllegalArgumentException.class, () -> Profiler.compare(before, after, "title=x"));
        assertThrows(IllegalArgumentException.class, () -> Profiler.compare(before, after, "html,nosuch"));
        assertThrows(IllegalStateException.class, () -> Profiler.compare(before, scratch.getRoot().toPath(), "html"));
        assertThrows(IllegalStateException.class, () -> profiler.compareStored("a", "b", "html"));
    }

    @Test
    public void wrongOptionsAreArguments() {
        String text = assertThrows(IllegalArgumentException.class, () -> profiler.start("evnt=cpu")).getMessage();
        assertTrue(text, text.contains("did you mean \"event\""));
    }

    @Test
    public void isAnMBean() throws Exception {
        ObjectName name = Profiler.registerMBean();
        assertEquals(name, Profiler.registerMBean());
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        Object version = server.invoke(name, "execute", new Object[] {"version"}, new String[] {"java.lang.String"});
        assertTrue(version.toString().startsWith("hearth "));
        assertTrue(server.getAttribute(name, "Status") instanceof String);
    }

    @Test
    public void itsMBeanWritesNoFilesForClients() throws Exception {
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        ObjectName name = Profiler.registerMBean();
        Path file = scratch.getRoot().toPath().resolve("by-client.txt");
        for (String option : new String[] {"file=" + file, "log=" + file, "store=" + file, "http=0", "push=http://h", "token=" + file}) {
            for (String operation : new String[] {"execute", "start", "stop", "dump"}) {
                String command = operation.equals("execute") ? "start,event=cpu," + option : "collapsed," + option;
                RuntimeMBeanException refused = assertThrows(RuntimeMBeanException.class, () -> invoke(server, name, operation, command));
                String text = refused.getCause().getMessage();
                assertTrue(text, text.contains("is not for clients of this process"));
            }
        }
        assertFalse(Files.exists(file));
        assertTrue(invoke(server, name, "start", "event=cpu").contains("cpu"));
        invoke(server, name, "stop", "collapsed");
        server.unregisterMBean(name);
        Profiler.registerUnrestrictedMBean();
        invoke(server, name, "start", "event=cpu");
        invoke(server, name, "stop", "flat,file=" + file);
        assertTrue(Files.exists(file));
        server.unregisterMBean(name);
    }

    private static String invoke(MBeanServer server, ObjectName name, String operation, String argument) throws Exception {
        return (String) server.invoke(name, operation, new Object[] {argument}, new String[] {"java.lang.String"});
    }
}
