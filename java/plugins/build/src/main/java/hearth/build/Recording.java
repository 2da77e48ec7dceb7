package hearth.build;

import hearth.Profiler;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Settings of the recordings of a build's JVMs, as options of the agent. Immutable, thread safe.
 *
 * <p>CPU time is sampled every millisecond unless an interval is given: tests are short.
 */
public final class Recording {
    private static final String SHORT_CPU_INTERVAL = "1ms";
    private final List<String> words = new ArrayList<>();

    /**
     * @param event one or several events separated by commas, such as {@code cpu,alloc}; null or "" is {@code cpu}
     * @param interval between two samples of the first event, such as {@code 10ms} or {@code 512k}; null or "" is the
     *     default
     * @param options other options of the agent, such as {@code threads,jstackdepth=512}; null or "" is none
     * @throws IllegalArgumentException if the options name a file: the build names it
     */
    public Recording(String event, String interval, String options) {
        String events = orDefault(event, "cpu");
        for (String one : events.split(",")) words.add("event=" + one.trim());
        String between = orDefault(interval, events.trim().startsWith("cpu") ? SHORT_CPU_INTERVAL : "");
        if (!between.isEmpty()) words.add("interval=" + between);
        for (String option : orDefault(options, "").split(",")) {
            if (option.trim().startsWith("file=")) throw new IllegalArgumentException(option.trim() + ": the build names the files of its profiles");
            if (!option.trim().isEmpty()) words.add(option.trim());
        }
    }

    /**
     * The option with which a JVM records itself from its start to its end. Unpacks the agent of hearth.jar for this
     * user if it is not there.
     *
     * @param file profile that the JVM writes when it ends, with {@code %p} for its process id
     * @throws IllegalArgumentException if the path has a character with a meaning to the agent
     * @throws IllegalStateException if hearth does not run on this system
     */
    public String jvmOption(Path file) {
        return Profiler.jvmOption(words(file));
    }

    String words(Path file) {
        Path folder = file.toAbsolutePath().getParent();
        if (folder.toString().matches(".*[,%].*")) {
            throw new IllegalArgumentException(folder + ": a folder of profiles must not have a comma or % in its path");
        }
        return String.join(",", words) + ",file=" + folder.resolve(file.getFileName());
    }

    private static String orDefault(String given, String otherwise) {
        return given == null || given.trim().isEmpty() ? otherwise : given.trim();
    }
}
