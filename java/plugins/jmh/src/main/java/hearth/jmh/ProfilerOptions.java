package hearth.jmh;

import hearth.Profiler;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The options after {@code -prof hearth.jmh.HearthProfiler:}, separated by semicolons. Those that are not the profiler's
 * own are the agent's, which checks them. Immutable.
 */
final class ProfilerOptions {
    static final String HELP = String.join("\n",
        "-prof hearth.jmh.HearthProfiler[:OPTION[=VALUE][;OPTION[=VALUE]...]]",
        "  event=cpu           what to measure: cpu, wall, alloc, lock, nativemem, nativelock, io, page-faults, context-switches, exception, holders, wakers, vthreads; several with commas",
        "  interval=1ms        between two samples: ns, us, ms, s; of alloc bytes",
        "  dir=.               folder of the files, one below it for each benchmark and set of parameters",
        "  output=flamegraph   formats of the files: flamegraph, pprof, jfr, otlp, collapsed, flat; several with commas",
        "  flat=10             number of hottest methods in the output of JMH; 0 for none",
        "  help                prints this",
        "  other options       are those of the agent: threads, lines, live, exact, include=PATTERN, cstack=fp ...",
        "With alloc as the first event the results have the bytes per operation, as hearth.alloc.norm.");

    private static final List<String> FORMATS = Arrays.asList("flamegraph", "pprof", "jfr", "otlp", "collapsed", "flat");
    private static final List<String> ENDINGS = Arrays.asList(".html", ".pb.gz", ".jfr", ".otlp", ".collapsed", ".txt");
    // The profiler decides when a session starts and ends and where its files are.
    private static final List<String> REFUSED =
        Arrays.asList("file", "start", "stop", "dump", "status", "pause", "resume", "timeout", "session", "store", "http");
    private static final int MOST_METHODS = 10;

    private final Map<String, String> agent = new LinkedHashMap<>(); // a null value for an option without one
    private final List<String> include = new ArrayList<>(); // options that may be repeated
    private Path folder = Paths.get(".");
    private List<String> formats = Arrays.asList("flamegraph");
    private int methods = MOST_METHODS;
    private boolean help;

    /** Throws IllegalArgumentException for a wrong option of the profiler's own. */
    ProfilerOptions(String line) {
        for (String option : (line == null ? "" : line).split(";")) {
            if (!option.trim().isEmpty()) read(option.trim());
        }
        agent.putIfAbsent("event", "cpu");
    }

    private void read(String option) {
        int equals = option.indexOf('=');
        String key = equals < 0 ? option : option.substring(0, equals);
        String value = equals < 0 ? null : option.substring(equals + 1);
        if (key.equals("help")) help = true;
        else if (key.equals("dir")) folder = Paths.get(required(key, value));
        else if (key.equals("output")) formats = formats(required(key, value));
        else if (key.equals("flat")) methods = number(required(key, value));
        else if (REFUSED.contains(key)) throw new IllegalArgumentException("option " + key + ": the profiler of JMH sets it itself; leave it out");
        else if (key.equals("include") || key.equals("exclude")) include.add(key + "=" + required(key, value));
        else agent.put(key, value);
    }

    private static String required(String key, String value) {
        if (value == null || value.isEmpty()) throw new IllegalArgumentException("option " + key + " needs a value, as " + key + "=VALUE");
        return value;
    }

    private static List<String> formats(String value) {
        List<String> formats = Arrays.asList(value.split(","));
        for (String format : formats) {
            if (!FORMATS.contains(format)) {
                throw new IllegalArgumentException("option output=" + format + ": write one or more of " + String.join(", ", FORMATS));
            }
        }
        return formats;
    }

    private static int number(String value) {
        if (!value.matches("\\d{1,4}")) throw new IllegalArgumentException("option flat=" + value + ": write a number from 0 to 9999");
        return Integer.parseInt(value);
    }

    boolean wantsHelp() {
        return help;
    }

    /** Number of hottest methods to print. */
    int methods() {
        return methods;
    }

    List<String> formats() {
        return formats;
    }

    /** Whether the first event, whose values text outputs have, counts bytes. */
    boolean measuresBytes() {
        return agent.get("event").split(",")[0].equals("alloc");
    }

    /** The options of a session's start, in the agent's grammar. */
    String session() {
        List<String> words = new ArrayList<>(include);
        agent.forEach((key, value) -> words.add(value == null ? key : Profiler.option(key, value)));
        return String.join(",", words);
    }

    /**
     * A file of a benchmark.
     *
     * @param benchmark its id with its parameters
     * @param fork its number, 0 if it is the only one
     */
    Path file(String benchmark, int fork, String format) {
        // The agent and JMH encode and expand characters after a %.
        Path place = folder.resolve(benchmark.replace('%', '_'));
        String event = agent.get("event").replace(',', '+');
        return place.resolve(event + (fork > 0 ? "-fork" + fork : "") + ENDINGS.get(FORMATS.indexOf(format)));
    }
}
