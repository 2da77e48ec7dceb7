package hearth;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A command in the agent's grammar, parsed for targets that do not take it as text. */
final class Command {
    private static final List<String> ACTIONS =
        Arrays.asList("start", "stop", "pause", "resume", "dump", "status", "metrics", "list", "version", "stop-http");
    private static final List<String> FORMATS = Arrays.asList("collapsed", "flamegraph", "pprof", "jfr", "otlp", "flat", "traces");
    // Events that are not options by themselves.
    private static final List<String> EVENTS = Arrays.asList("cpu", "cpu-clock", "ctimer", "itimer", "page-faults", "context-switches");

    private static final char COMMA_IN_VALUE = '\u001f'; // in texts made by programs; the agent reads it as a comma

    String action = "";
    String file = "";
    final List<String> formats = new ArrayList<>(); // "flat=20"
    final Map<String, List<String>> options = new LinkedHashMap<>(); // values of each key; a null value for a key without one

    /** Throws IllegalArgumentException for two actions. */
    Command(String text) {
        for (String word : text.split(",")) {
            if (!word.isEmpty()) add(word);
        }
    }

    private void add(String word) {
        int equals = word.indexOf('=');
        String key = equals < 0 ? word : word.substring(0, equals);
        if (options.containsKey("event") && EVENTS.contains(word)) {
            options.get("event").add(word); // a further word of event=alloc,cpu
        } else if (ACTIONS.contains(word)) {
            if (!action.isEmpty() && !action.equals(word)) {
                throw new IllegalArgumentException("option " + word + ": another action precedes it; give one at a time");
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
