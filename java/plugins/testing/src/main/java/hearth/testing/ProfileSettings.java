package hearth.testing;

import hearth.Profiler;
import java.util.Arrays;
import java.util.List;

/** What to measure of a test and where to write it. Immutable. */
public final class ProfileSettings {
    private static final List<String> FORMATS = Arrays.asList("flamegraph", "pprof", "jfr", "otlp", "collapsed", "flat");
    private static final List<String> ENDINGS = Arrays.asList(".html", ".pb.gz", ".jfr", ".otlp", ".collapsed", ".txt");

    private final String event;
    private final String interval;
    private final String format;
    private final String file;
    private final String options;

    /**
     * Settings in the words of the agent's options; "" selects the default.
     *
     * @param event such as {@code cpu}, or {@code cpu,alloc}
     * @param interval between two samples, such as {@code 1ms}; of {@code alloc} bytes
     * @param format {@code flamegraph}, {@code pprof}, {@code jfr}, {@code otlp}, {@code collapsed} or {@code flat}
     * @param file relative to the folder of profiles; its extension selects the format
     * @param options further options, such as {@code threads,exclude=*.park}
     * @throws IllegalArgumentException when there is no such format, or a format and a file are given
     */
    public ProfileSettings(String event, String interval, String format, String file, String options) {
        if (!format.isEmpty() && !FORMATS.contains(format)) {
            throw new IllegalArgumentException("format = \"" + format + "\": write one of " + String.join(", ", FORMATS));
        }
        if (!format.isEmpty() && !file.isEmpty()) {
            throw new IllegalArgumentException("the extension of file = \"" + file + "\" selects the format; leave out format = \"" + format + "\"");
        }
        this.event = event;
        this.interval = interval;
        this.format = format;
        this.file = file;
        this.options = options;
    }

    /** Whether one file is named for all tests with these settings. */
    public boolean namesFile() {
        return !file.isEmpty();
    }

    String options() {
        StringBuilder all = new StringBuilder(Profiler.option("event", event.isEmpty() ? "cpu" : event));
        if (!interval.isEmpty()) all.append(",interval=").append(interval);
        if (!options.isEmpty()) all.append(',').append(options);
        return all.toString();
    }

    String fileOf(String test) {
        if (!file.isEmpty()) return file;
        String plain = test.replaceAll("[^\\p{L}\\p{N}._$-]+", "-").replaceAll("-+$", "");
        return plain + ENDINGS.get(format.isEmpty() ? 0 : FORMATS.indexOf(format));
    }
}
