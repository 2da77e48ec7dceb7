package hearth;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Bytes and objects of each site of an operation, recorded object by object by the agent. */
final class AllocationProfile {
    /** Number of frames kept per stack: the agent's maximum. */
    static final int DEEPEST_STACK = 8192;

    private static final String MEASURED = "hearth/AllocationMeter.operate";
    // A lock. As a literal it is one object for all class loaders; the agent is shared by them, too, and runs one
    // allocation session at a time.
    private static final String RECORDING = "hearth.recording";
    private static final String SESSION = "session=.allocation-budget";
    private static final String[] LIBRARIES = {"java/", "javax/", "jdk/", "sun/", "com/sun/", "clojure/", "clojure."};

    final List<AllocationSite> sites = new ArrayList<>(); // the largest first
    final String flameGraph; // HTML

    /** Bytes or objects of one operation, sum of all sites. */
    double bytes;
    double objects;

    /** Objects of the whole run, on its thread, with cut stacks: the operation may have made them or not. */
    long unplaced;

    /** There is no agent, or it cannot record now or on this JDK; the message is the agent's own. */
    static final class Refused extends Exception {
        private static final long serialVersionUID = 1;

        Refused(IllegalStateException why) {
            super(why.getMessage(), why);
        }
    }

    /**
     * Runs the operation this many times under the agent, one thread at a time. Throws Refused before the first run, or
     * the operation's exception.
     */
    AllocationProfile(AllocationBudget.Operation operation, long times, String title) throws Exception {
        synchronized (RECORDING) {
            start();
            try {
                AllocationMeter.operate(operation, times);
            } catch (Throwable thrown) {
                stopAfter(thrown);
                throw thrown;
            }
            String byBytes = Agent.execute("stop," + SESSION + ",collapsed,total,lines,norm");
            add(byBytes, Agent.execute("dump," + SESSION + ",collapsed,samples,lines,norm"), times);
            flameGraph = Agent.execute("dump," + SESSION + ",flamegraph,total,title=" + title.replace(',', ';') + ",include=" + MEASURED);
        }
    }

    /** From collapsed stacks of bytes and of objects. */
    AllocationProfile(String byBytes, String byObjects, long times) {
        flameGraph = "";
        add(byBytes, byObjects, times);
    }

    private static void start() throws IOException, Refused {
        try {
            // "4711/task/4712"
            Path thread = Paths.get("/proc/thread-self");
            String filter = Files.exists(thread) ? ",filter=" + Files.readSymbolicLink(thread).getFileName() : "";
            Agent.execute("start," + SESSION + ",exact,jstackdepth=" + DEEPEST_STACK + filter);
        } catch (IllegalStateException why) {
            throw new Refused(why);
        }
    }

    // The operation's exception matters more than a session that could not be stopped, for example because somebody
    // else stopped it.
    private static void stopAfter(Throwable thrown) {
        try {
            Agent.execute("stop," + SESSION + ",collapsed");
        } catch (RuntimeException unstopped) {
            thrown.addSuppressed(unstopped);
        }
    }

    private void add(String byBytes, String byObjects, long times) {
        Map<String, Long> objectsOf = new HashMap<>();
        for (String line : byObjects.split("\n")) {
            if (line.isEmpty()) continue;
            objectsOf.put(stackOf(line), countOf(line));
            if (isUnplaced(stackOf(line))) unplaced += countOf(line);
        }
        Map<String, AllocationSite> merged = new HashMap<>();
        for (String line : byBytes.split("\n")) {
            if (line.isEmpty()) continue;
            String stack = stackOf(line);
            double ofObjects = (double) objectsOf.getOrDefault(stack, 0L) / times;
            AllocationSite site = siteOf(stack, (double) countOf(line) / times, ofObjects);
            if (site == null) continue;
            bytes += site.bytes;
            objects += site.objects;
            merged.merge(site.key(), site, AllocationSite::joined);
        }
        sites.addAll(merged.values());
        sites.sort(Comparator.comparingDouble((AllocationSite site) -> -site.bytes).thenComparing(AllocationSite::key));
    }

    private static String stackOf(String line) {
        return line.substring(0, line.lastIndexOf(' '));
    }

    private static long countOf(String line) {
        return Long.parseLong(line.substring(line.lastIndexOf(' ') + 1));
    }

    // Null if the object was not allocated by the operation.
    private static AllocationSite siteOf(String stack, double bytes, double objects) {
        String[] frames = stack.split(";");
        int innermost = frames.length - 1;
        int measured = measuredIn(frames);
        if (measured < 0 || innermost - measured < 2) return null;
        String method = frames[innermost - 1];
        String caller = method;
        for (int i = innermost - 1; i > measured; i--) {
            if (isOfLibrary(frames[i])) continue;
            caller = frames[i];
            break;
        }
        return new AllocationSite(frames[innermost], method, caller, bytes, objects);
    }

    // -1 if it is absent.
    private static int measuredIn(String[] frames) {
        int measured = frames.length - 1;
        while (measured >= 0 && !AllocationSite.withoutLine(frames[measured]).equals(MEASURED)) measured--;
        return measured;
    }

    // "[truncated]", "[lost]" and the like replace the frames that are needed to place an object.
    private static boolean isUnplaced(String stack) {
        String[] frames = stack.split(";");
        return measuredIn(frames) < 0 && Arrays.stream(frames).anyMatch(frame -> frame.startsWith("[") && frame.endsWith("]"));
    }

    private static boolean isOfLibrary(String frame) {
        for (String library : LIBRARIES) {
            if (frame.startsWith(library)) return true;
        }
        return frame.startsWith("hearth/AllocationBudget") || frame.startsWith("hearth.core/");
    }

    /** Writes the flame graph into a folder and replaces a file of the same name. */
    Path writeFlameGraph(Path folder, String name) throws IOException {
        return WholeFile.write(folder.resolve(name), flameGraph);
    }
}
