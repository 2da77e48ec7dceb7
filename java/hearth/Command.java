package hearth;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A command in the agent's grammar, taken apart for those that are not told it as it is. */
final class Command {
    private static final List<String> ACTIONS =
        Arrays.asList("start", "stop", "pause", "resume", "dump", "status", "metrics", "list", "version", "stop-http");
    private static final List<String> FORMATS = Arrays.asList("collapsed", "flamegraph", "pprof", "flat", "traces");
    private static final List<String> CPU_EVENTS = Arrays.asList("cpu", "cpu-clock", "ctimer", "itimer");

    private static final char COMMA_IN_VALUE = '\u001f'; // where a program made the text, as the agent reads it

    String action = "";
    String file = "";
    final List<String> formats = new ArrayList<>(); // "flat=20"
    final Map<String, List<String>> options = new LinkedHashMap<>(); // the values of each key, null for none

    /** Throws IllegalArgumentException for two actions. */
    Command(String text) {
        for (String word : text.split(",")) {
            if (!word.isEmpty()) add(word);
        }
    }

    private void add(String word) {
        int equals = word.indexOf('=');
        String key = equals < 0 ? word : word.substring(0, equals);
        if (options.containsKey("event") && CPU_EVENTS.contains(word)) {
            options.get("event").add(word); // of event=alloc,cpu
        } else if (ACTIONS.contains(word)) {
            if (!action.isEmpty() && !action.equals(word)) {
                throw new IllegalArgumentException("option " + word + ": another action was given before it (give one at a time)");
            }
            action = word;
        } else if (FORMATS.contains(key)) {
            formats.add(word);
        } else if (key.equals("file") && equals > 0) {
            file = word.substring(equals + 1);
        } else {
            String value = equals < 0 ? null : word.substring(equals + 1).replace(COMMA_IN_VALUE, ',');
            options.computeIfAbsent(key, unknown -> new ArrayList<>()).add(value);
        }
    }
}
