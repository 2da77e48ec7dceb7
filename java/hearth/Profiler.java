package hearth;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.management.InstanceAlreadyExistsException;
import javax.management.JMException;
import javax.management.ObjectName;
import javax.management.StandardMBean;

/**
 * Profiles this JVM, another process, or a JVM that listens to HTTP:
 *
 * <pre>{@code
 * try (Profiler.Session session = Profiler.here().session("event=cpu,interval=1ms").into(Paths.get("profile.html"))) {
 *     work();
 * }
 * }</pre>
 *
 * <p>This JVM needs no flag. An agent that was loaded at its start or attached to it is used; otherwise hearth loads
 * the one that the system property {@code hearth.library-path} names, else the one in the jar.
 *
 * <p>Sessions of different events run at the same time, and {@code stop("event=alloc")} selects one of them. Named
 * sessions ({@code session=NAME}), as {@link #session} makes them, also run alongside others of the same event. Options
 * and commands are those of {@code -agentpath:libhearth.so=...}. All methods throw IllegalArgumentException, with the
 * agent's own text, if an argument is wrong, and IllegalStateException if the command cannot run now: the session runs
 * already, there is none, or the JVM cannot be profiled or reached. Thread safe.
 */
public final class Profiler implements ProfilerMBean {
    private static final Pattern NAME = Pattern.compile("(?<=^|,)session=[^,]*");
    // The extensions that the agent refuses, too (agent/profile/formats/formats.cpp).
    private static final Pattern FOREIGN = Pattern.compile("\\.(svg|png|pdf|json|csv|gz|zip|zst)$");
    private final Target target;

    private Profiler(Target target) {
        this.target = target;
    }

    /** Profiler of this JVM. */
    public static Profiler here() {
        return new Profiler(new ThisJvm());
    }

    /** Profiler of another process of this machine, also in a container: one of this user, or of any user for root. */
    public static Profiler of(long pid) {
        if (pid <= 0) throw new IllegalArgumentException(pid + " is not a process id");
        return pid == ThisJvm.pid() ? here() : new Profiler(new OtherJvm(pid));
    }

    /**
     * Profiler of a JVM with a control server ({@code hearth http PID}, or {@code http=PORT} among the agent's
     * options).
     *
     * @param url such as http://127.0.0.1:7070, or unix:PATH (JDK 16 and newer), which needs no token @param token the
     * content of the token file, with or without the line's end
     */
    public static Profiler at(String url, String token) {
        return new Profiler(new RemoteJvm(url, token));
    }

    /** Runs one command, such as {@code stop,collapsed,total}. Returns its output as text, else its message. */
    @Override
    public String execute(String command) {
        return text(target.execute(command));
    }

    /** As execute, for outputs that are not text ({@code pprof}, {@code jfr}, {@code otlp}). */
    public byte[] executeToBytes(String command) {
        return target.execute(command);
    }

    /** Starts a session, such as {@code event=alloc,threads}; "" selects the defaults. Returns its description. */
    @Override
    public String start(String options) {
        return execute(with("start", options));
    }

    /** Starts a session that ends with a try block and runs alongside any others, also of the same event. */
    public Session session(String options) {
        String given = options == null ? "" : options;
        Matcher named = NAME.matcher(given);
        String word = named.find() ? named.group() : "session=.java-" + UUID.randomUUID();
        return new Session(word, start(given.contains(word) ? given : with(word, given)));
    }

    /**
     * Stops the session and returns its profile in the given format: {@code collapsed}, {@code flamegraph,title=Title},
     * {@code flat=20}.
     */
    @Override
    public String stop(String output) {
        return execute(with("stop", output));
    }

    /** As stop, also for {@code pprof}, {@code jfr} and {@code otlp}. */
    public byte[] stopToBytes(String output) {
        return executeToBytes(with("stop", output));
    }

    /**
     * Stops the session and writes its profile. The file's extension selects the format: .html, .pb.gz, .jfr, .otlp,
     * .collapsed, else text.
     */
    public Path stop(Path file) throws IOException {
        check(file);
        return write(file, stopToBytes(formatOf(file)));
    }

    /**
     * Pauses sampling of an event, such as {@code event=alloc}, while the other events of its session continue; ""
     * pauses all of them. The profile keeps its samples and reports how long each event was paused.
     */
    @Override
    public String pause(String events) {
        return execute(with("pause", events));
    }

    /** Resumes paused events. */
    @Override
    public String resume(String events) {
        return execute(with("resume", events));
    }

    /** As stop, but the session continues; after a stop, returns its profile again. */
    @Override
    public String dump(String output) {
        return execute(with("dump", output));
    }

    /** As dump, also for {@code pprof}, {@code jfr} and {@code otlp}. */
    public byte[] dumpToBytes(String output) {
        return executeToBytes(with("dump", output));
    }

    /** As stop to a file, but the session continues. */
    public Path dump(Path file) throws IOException {
        check(file);
        return write(file, dumpToBytes(formatOf(file)));
    }

    /** State of the agent: one line, with details below. */
    @Override
    public String getStatus() {
        return execute("status");
    }

    /**
     * Converts a stored profile to another format, as {@code hearth convert} does.
     *
     * @param stored a JFR recording, pprof, OTLP, collapsed stacks, or a page that hearth wrote
     * @param output the format and its options: {@code flamegraph,title=Title,reverse},
     *     {@code collapsed,total,label=thread:main}
     */
    public static byte[] convert(Path stored, String output) {
        Command command = new Command(output);
        if (command.formats.size() != 1 || !command.action.isEmpty() || !command.file.isEmpty()) {
            throw new IllegalArgumentException("\"" + output + "\" does not start with exactly one format");
        }
        List<String> arguments = new ArrayList<>(Arrays.asList("convert", "--output=" + command.formats.get(0)));
        for (Map.Entry<String, List<String>> option : command.options.entrySet()) {
            for (String value : option.getValue()) arguments.add("--" + option.getKey() + (value == null ? "" : "=" + value));
        }
        arguments.add(stored.toAbsolutePath().toString());
        arguments.add("-");
        return Launcher.run(arguments).output;
    }

    /**
     * Compares two stored profiles, as {@code hearth diff} does.
     *
     * @param output the format, {@code html}, {@code text}, {@code json} or {@code collapsed}, and its options:
     *     {@code html,title=Title,absolute,label=thread:main}
     */
    public static byte[] compare(Path before, Path after, String output) {
        Difference difference = new Difference(output);
        return Launcher.run(difference.arguments(before.toAbsolutePath().toString(), after.toAbsolutePath().toString())).output;
    }

    /**
     * Compares two profiles that a JVM with a control server has stored, by their ids.
     *
     * @throws IllegalStateException also if this JVM has no control server
     */
    public byte[] compareStored(String before, String after, String output) {
        if (!(target instanceof RemoteJvm)) throw new IllegalStateException("stored profiles have ids only on a control server; use Profiler.at(url, token)");
        return ((RemoteJvm) target).get(new Difference(output).path(before, after));
    }

    /**
     * The JVM option that loads the agent at the start of another JVM; {@code options} as for start, with {@code
     * file=}.
     */
    public static String jvmOption(String options) {
        Command given = new Command(options == null ? "" : options);
        if (given.formats.isEmpty()) checkName(given.file);
        return "-agentpath:" + Launcher.agent() + "=" + with("start", options);
    }

    /**
     * An option of a command from a value of others: {@code option("title", "a, b")} is {@code title=a\, b}. Commas of the
     * value separate nothing.
     */
    public static String option(String name, String value) {
        return name + "=" + Command.escaped(value);
    }

    /**
     * Folder for profiles of a REPL: {@code results} in the folder that the system property {@code hearth.output-dir}
     * names, else in HEARTH_HOME, else in ~/.hearth, else in /tmp/hearth-UID.
     */
    public static Path resultsFolder() {
        String named = System.getProperty("hearth.output-dir");
        return (named == null ? StateFolder.get() : Paths.get(named)).resolve("results");
    }

    /**
     * Lets JMX clients profile this JVM, as {@code hearth:type=Profiler}; a second call does nothing. As over HTTP,
     * clients may not give options that name files, open ports or send profiles elsewhere ({@code file}, {@code log},
     * {@code store}, {@code http}).
     */
    public static ObjectName registerMBean() throws JMException {
        return register(new Profiler(new ClientOfThisJvm()));
    }

    /** As {@link #registerMBean()}, with all options: clients can write files with the rights of this process. */
    public static ObjectName registerUnrestrictedMBean() throws JMException {
        return register(here());
    }

    private static ObjectName register(Profiler profiler) throws JMException {
        ObjectName name = new ObjectName("hearth:type=Profiler");
        try {
            ManagementFactory.getPlatformMBeanServer().registerMBean(new StandardMBean(profiler, ProfilerMBean.class), name);
        } catch (InstanceAlreadyExistsException registered) {
            return name;
        }
        return name;
    }

    private static String with(String action, String options) {
        return options == null || options.isEmpty() ? action : action + "," + options;
    }

    private String formatOf(Path file) {
        String name = file.getFileName().toString().toLowerCase(Locale.ROOT);
        if (name.matches(".*\\.html?")) return "flamegraph";
        if (name.matches(".*\\.(collapsed|folded)")) return "collapsed";
        if (name.endsWith(".jfr")) return "jfr";
        if (name.endsWith(".otlp")) return "otlp";
        return name.matches(".*\\.(pb\\.gz|pb|pprof)") ? "pprof" : target.textFormat();
    }

    // Rejects the extension of a format that hearth does not have: the file would get text.
    private static void checkName(String file) {
        Matcher foreign = FOREIGN.matcher(file.toLowerCase(Locale.ROOT));
        if (!foreign.find() || file.toLowerCase(Locale.ROOT).endsWith(".pb.gz")) return;
        throw new IllegalArgumentException(file + " cannot be written: hearth does not write " + foreign.group()
            + " files; use a name that ends in .html, .pb.gz, .jfr, .otlp, .collapsed or .txt");
    }

    // Checks the file before a session ends for it.
    private static void check(Path file) {
        if (file == null) throw new IllegalArgumentException("no file was given");
        checkName(file.toString());
        Path whole = file.toAbsolutePath();
        if (Files.isDirectory(whole)) throw new IllegalArgumentException(whole + " cannot be written: it is a folder");
        Path folder = whole.getParent();
        if (!Files.isDirectory(folder)) throw new IllegalArgumentException(whole + " cannot be written: the folder " + folder + " does not exist");
        if (!Files.isWritable(folder)) throw new IllegalArgumentException(whole + " cannot be written: " + folder + " is read-only");
    }

    private static Path write(Path file, byte[] content) throws IOException {
        Path whole = file.toAbsolutePath();
        Bytes.write(whole, content);
        return whole;
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /** A session that ends with a try block, unless it was stopped before. Not thread safe. */
    public final class Session implements AutoCloseable {
        private final String word; // session=NAME
        private final String message;
        private Path file;
        private boolean stopped;

        private Session(String word, String message) {
            this.word = word;
            this.message = message;
        }

        /** Description of the started session. */
        public String message() {
            return message;
        }

        /**
         * File that the end of the try block writes, instead of the one among the options; the extension selects the
         * format. If the file cannot be written, the session ends at once and IllegalArgumentException is thrown.
         */
        public Session into(Path file) {
            try {
                check(file);
            } catch (IllegalArgumentException wrong) {
                // The try block, which would end the session, does not begin.
                stopFor(wrong);
                throw wrong;
            }
            this.file = file;
            return this;
        }

        private void stopFor(IllegalArgumentException wrong) {
            try {
                stopToBytes("flat=1");
            } catch (RuntimeException unstopped) {
                wrong.addSuppressed(unstopped);
            }
        }

        /** Stops the session; see {@link Profiler#stop(String)}. */
        public String stop(String output) {
            return text(stopToBytes(output));
        }

        /** Stops the session; see {@link Profiler#stopToBytes(String)}. */
        public byte[] stopToBytes(String output) {
            byte[] profile = Profiler.this.stopToBytes(with(word, output));
            stopped = true;
            return profile;
        }

        /** Stops the session and writes its profile; the file's extension selects the format. */
        public Path stop(Path file) throws IOException {
            check(file);
            return write(file, stopToBytes(formatOf(file)));
        }

        /** Throws IllegalStateException if somebody else has stopped the session. */
        @Override
        public void close() throws IOException {
            if (stopped) return;
            if (file == null) {
                stop(""); // into the file of its start options
            } else {
                stop(file);
            }
        }
    }
}
