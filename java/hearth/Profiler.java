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
 * <p>This JVM needs no flag: the agent that it was started with or that was attached is used, else the one that the system
 * property {@code hearth.library-path} names, else the one in the jar is loaded.
 *
 * <p>Sessions of different events run beside each other, and {@code stop("event=alloc")} says which is meant; those that are
 * named ({@code session=NAME}), as {@link #session}'s are, also beside others of the same event. Options and commands are those of
 * {@code -agentpath:libhearth.so=...}. All methods throw IllegalArgumentException when what they are told is wrong, with the agent's own text, and IllegalStateException when
 * it cannot be done now: such a session runs already or none does, the JVM cannot be profiled or not be reached. Thread safe.
 */
public final class Profiler implements ProfilerMBean {
    private static final Pattern NAME = Pattern.compile("(?<=^|,)session=[^,]*");
    // The endings that the agent refuses, too (agent/profile/formats/formats.cpp).
    private static final Pattern FOREIGN = Pattern.compile("\\.(jfr|svg|png|pdf|json|csv|otlp|gz|zip|zst)$");
    private final Target target;

    private Profiler(Target target) {
        this.target = target;
    }

    /** That of this JVM. */
    public static Profiler here() {
        return new Profiler(new ThisJvm());
    }

    /** That of a process of this machine: of this user, or as root of any, also in a container. */
    public static Profiler of(long pid) {
        if (pid <= 0) throw new IllegalArgumentException(pid + " is no process id");
        return pid == ThisJvm.pid() ? here() : new Profiler(new OtherJvm(pid));
    }

    /**
     * That of a JVM that was told to listen ({@code hearth http PID}, or {@code http=PORT} among the agent's options).
     *
     * @param url as http://127.0.0.1:7070, or unix:PATH (JDK 16 and newer), which needs no token
     * @param token what the token file holds, on its own or with the line's end
     */
    public static Profiler at(String url, String token) {
        return new Profiler(new RemoteJvm(url, token));
    }

    /** Runs one command, as {@code stop,collapsed,total}; what it makes comes back as text, else what there is to say. */
    @Override
    public String execute(String command) {
        return text(target.execute(command));
    }

    /** As execute; {@code pprof} is no text. */
    public byte[] executeToBytes(String command) {
        return target.execute(command);
    }

    /** Starts a session, as {@code event=alloc,threads}; "" takes the defaults. Returns what was started. */
    @Override
    public String start(String options) {
        return execute(with("start", options));
    }

    /** Starts a session that ends with a try block, beside whatever else samples the same. */
    public Session session(String options) {
        String given = options == null ? "" : options;
        Matcher named = NAME.matcher(given);
        String word = named.find() ? named.group() : "session=.java-" + UUID.randomUUID();
        return new Session(word, start(given.contains(word) ? given : with(word, given)));
    }

    /** Stops the session and gives it as an output says: {@code collapsed}, {@code flamegraph,title=Title}, {@code flat=20}. */
    @Override
    public String stop(String output) {
        return execute(with("stop", output));
    }

    /** As stop, also for {@code pprof}. */
    public byte[] stopToBytes(String output) {
        return executeToBytes(with("stop", output));
    }

    /** Stops the session and writes it, in the format of the file's name: .html, .pb.gz, .collapsed, else as text. */
    public Path stop(Path file) throws IOException {
        check(file);
        return write(file, stopToBytes(formatOf(file)));
    }

    /**
     * Samples no more of an event, as {@code event=alloc}, while others of its session go on; "" pauses all of them. What there is
     * stays in the profile, which says for how long each was paused.
     */
    @Override
    public String pause(String events) {
        return execute(with("pause", events));
    }

    /** Goes on with what is paused. */
    @Override
    public String resume(String events) {
        return execute(with("resume", events));
    }

    /** As stop, but the session goes on; after a stop its profile once more. */
    @Override
    public String dump(String output) {
        return execute(with("dump", output));
    }

    /** As dump, also for {@code pprof}. */
    public byte[] dumpToBytes(String output) {
        return executeToBytes(with("dump", output));
    }

    /** As stop to a file, but the session goes on. */
    public Path dump(Path file) throws IOException {
        check(file);
        return write(file, dumpToBytes(formatOf(file)));
    }

    /** What the agent is doing: a line, and more below. */
    @Override
    public String getStatus() {
        return execute("status");
    }

    /**
     * Turns a stored profile into another format, as {@code hearth convert} does.
     *
     * @param stored collapsed stacks, pprof, or a page that hearth wrote
     * @param output the format and what shapes it: {@code flamegraph,title=Title,reverse},
     *     {@code collapsed,total,label=thread:main}
     */
    public static byte[] convert(Path stored, String output) {
        Command command = new Command(output);
        if (command.formats.size() != 1 || !command.action.isEmpty() || !command.file.isEmpty()) {
            throw new IllegalArgumentException("\"" + output + "\" does not begin with one format");
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
     * What changed between two stored profiles, as {@code hearth diff} tells it.
     *
     * @param output the format, {@code html}, {@code text}, {@code json} or {@code collapsed}, and what shapes it:
     *     {@code html,title=Title,absolute,label=thread:main}
     */
    public static byte[] compare(Path before, Path after, String output) {
        Difference difference = new Difference(output);
        return Launcher.run(difference.arguments(before.toAbsolutePath().toString(), after.toAbsolutePath().toString())).output;
    }

    /**
     * The same of two profiles that a JVM which listens to HTTP has stored, by their ids.
     *
     * @throws IllegalStateException also when this one is not such a JVM
     */
    public byte[] compareStored(String before, String after, String output) {
        if (!(target instanceof RemoteJvm)) throw new IllegalStateException("profiles have ids where a JVM listens to HTTP: see Profiler.at");
        return ((RemoteJvm) target).get(new Difference(output).path(before, after));
    }

    /** The options with which another JVM loads the agent when it starts; {@code options} as for start, with {@code file=}. */
    public static String jvmOption(String options) {
        Command given = new Command(options == null ? "" : options);
        if (given.formats.isEmpty()) checkName(given.file);
        return "-agentpath:" + Launcher.agent() + "=" + with("start", options);
    }

    /**
     * Where profiles of a REPL are kept: {@code results} in the folder of the system property {@code hearth.output-dir}, else in
     * HEARTH_HOME, else in ~/.hearth, else in /tmp/hearth-UID.
     */
    public static Path resultsFolder() {
        String named = System.getProperty("hearth.output-dir");
        return (named == null ? StateFolder.get() : Paths.get(named)).resolve("results");
    }

    /**
     * Lets JMX clients profile this JVM, as {@code hearth:type=Profiler}; once more does nothing. As over HTTP they may not give
     * options that name files, open ports or send profiles elsewhere ({@code file}, {@code log}, {@code store}, {@code http}).
     */
    public static ObjectName registerMBean() throws JMException {
        return register(new Profiler(new ClientOfThisJvm()));
    }

    /** As {@link #registerMBean()}, with all options: who may reach it writes files with the rights of this process. */
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
        return name.matches(".*\\.(pb\\.gz|pb|pprof)") ? "pprof" : target.textFormat();
    }

    // The name of another format would get text.
    private static void checkName(String file) {
        Matcher foreign = FOREIGN.matcher(file.toLowerCase(Locale.ROOT));
        if (!foreign.find() || file.toLowerCase(Locale.ROOT).endsWith(".pb.gz")) return;
        throw new IllegalArgumentException(file + " cannot be written: hearth does not write " + foreign.group()
            + " files; accepted are names that end in .html, .pb.gz, .collapsed, and .txt for text");
    }

    // What cannot be written is told before a session ends for it.
    private static void check(Path file) {
        if (file == null) throw new IllegalArgumentException("no file was given");
        checkName(file.toString());
        Path whole = file.toAbsolutePath();
        if (Files.isDirectory(whole)) throw new IllegalArgumentException(whole + " cannot be written: it is a folder");
        Path folder = whole.getParent();
        if (!Files.isDirectory(folder)) throw new IllegalArgumentException(whole + " cannot be written: there is no folder " + folder);
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

    /** A session that ends with a try block, if it was not stopped before. Not thread safe. */
    public final class Session implements AutoCloseable {
        private final String word; // that names it
        private final String message;
        private Path file;
        private boolean stopped;

        private Session(String word, String message) {
            this.word = word;
            this.message = message;
        }

        /** What was started. */
        public String message() {
            return message;
        }

        /**
         * Where the end of the try block writes it, instead of where its options say; the name tells the format. Where no
         * file can be written the session ends at once, and IllegalArgumentException is thrown.
         */
        public Session into(Path file) {
            try {
                check(file);
            } catch (IllegalArgumentException wrong) {
                // The try block, which would have ended it, does not begin.
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

        /** Stops it; see {@link Profiler#stop(String)}. */
        public String stop(String output) {
            return text(stopToBytes(output));
        }

        /** Stops it; see {@link Profiler#stopToBytes(String)}. */
        public byte[] stopToBytes(String output) {
            byte[] profile = Profiler.this.stopToBytes(with(word, output));
            stopped = true;
            return profile;
        }

        /** Stops and writes it, in the format of the file's name. */
        public Path stop(Path file) throws IOException {
            check(file);
            return write(file, stopToBytes(formatOf(file)));
        }

        /** Throws IllegalStateException when somebody else has stopped it. */
        @Override
        public void close() throws IOException {
            if (stopped) return;
            if (file == null) {
                stop(""); // as its start said
            } else {
                stop(file);
            }
        }
    }
}
