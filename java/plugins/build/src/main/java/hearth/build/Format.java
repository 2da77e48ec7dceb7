package hearth.build;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/** The formats of a build's report, by the agent's words or by the endings of files. */
final class Format {
    /** Endings of the files that a report may write. */
    static final List<String> ENDINGS = Collections.unmodifiableList(Arrays.asList("pb.gz", "html", "jfr", "otlp", "collapsed", "txt"));

    private Format() {}

    /**
     * Endings of files for a list such as {@code flamegraph,collapsed}.
     *
     * @throws IllegalArgumentException for another word
     */
    static List<String> endings(String formats) {
        List<String> endings = new ArrayList<>();
        for (String word : formats.split(",")) {
            if (!word.trim().isEmpty()) endings.add(ending(word.trim().toLowerCase(Locale.ROOT)));
        }
        return endings;
    }

    private static String ending(String word) {
        switch (word) {
            case "flamegraph":
            case "html":
                return "html";
            case "pprof":
            case "pb.gz":
                return "pb.gz";
            case "jfr":
            case "otlp":
            case "collapsed":
                return word;
            case "flat":
            case "traces":
            case "txt":
                return "txt";
            default:
                throw new IllegalArgumentException(word + " is not a format of a report; use html, pprof, jfr, otlp, collapsed or txt");
        }
    }
}
