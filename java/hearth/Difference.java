package hearth;

import java.io.UnsupportedEncodingException;
import java.net.URLEncoder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/** Format and options of a comparison: "html,title=Title,absolute", parsed for the launcher and for HTTP. */
final class Difference {
    private static final List<String> FORMATS = Arrays.asList("html", "text", "json", "collapsed");
    private final String format;
    private final Command options;

    /** Throws IllegalArgumentException when it does not begin with a format. */
    Difference(String output) {
        int comma = output.indexOf(',');
        String word = comma < 0 ? output : output.substring(0, comma);
        format = word.equals("flamegraph") ? "html" : word;
        options = new Command(comma < 0 ? "" : output.substring(comma + 1));
        boolean isMore = !options.formats.isEmpty() || !options.action.isEmpty() || !options.file.isEmpty();
        if (isMore || !FORMATS.contains(format)) {
            throw new IllegalArgumentException("\"" + output + "\" does not begin with one of " + String.join(", ", FORMATS));
        }
    }

    List<String> arguments(String before, String after) {
        List<String> arguments = new ArrayList<>(Arrays.asList("diff", "--output=" + format));
        for (Map.Entry<String, List<String>> option : options.options.entrySet()) {
            for (String value : option.getValue()) arguments.add("--" + option.getKey() + (value == null ? "" : "=" + value));
        }
        Collections.addAll(arguments, before, after);
        return arguments;
    }

    String path(String before, String after) {
        if (format.equals("text")) throw new IllegalArgumentException("over HTTP a difference is html, json or collapsed");
        StringBuilder path = new StringBuilder("/api/diff/" + encoded(before) + '/' + encoded(after) + '.' + format);
        char parted = '?';
        for (Map.Entry<String, List<String>> option : options.options.entrySet()) {
            for (String value : option.getValue()) {
                path.append(parted).append(encoded(option.getKey()));
                if (value != null) path.append('=').append(encoded(value));
                parted = '&';
            }
        }
        return path.toString();
    }

    private static String encoded(String text) {
        try {
            return URLEncoder.encode(text, "UTF-8").replace("+", "%20");
        } catch (UnsupportedEncodingException never) {
            throw new IllegalStateException(never);
        }
    }
}
