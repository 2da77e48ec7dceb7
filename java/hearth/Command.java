package hearth;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A command in the agent's grammar, parsed for targets that do not take it as text. */
final class Command {
    private static final List<String> ACTIONS =
        Arrays.asList("start", "stop", "pause", "resume", "dump", "status", "metrics", "list", "version", "stop-http");
    private static final List<String> FORMATS = Arrays.asList("collapsed", "flamegraph", "pprof", "jfr", "otlp", "flat", "traces");
    // Events that are not options by themselves.
    private static final List<String> EVENTS = Arrays.asList("cpu", "cpu-clock", "ctimer", "itimer", "page-faults", "context-switches", "exception",
            "holders");

    private static final Pattern END_OF_WORD = Pattern.compile("(\\\\*)(,|\\z)");

    String action = "";
    String file = "";
    final List<String> formats = new ArrayList<>(); // "flat=20"
    final Map<String, List<String>> options = new LinkedHashMap<>(); // values of each key; a null value for a key without one

    /** Throws IllegalArgumentException for two actions. */
    Command(String text) {
        for (String word : words(text)) add(word);
    }

    /**
     * Splits a text at its commas. "\," is a comma of a value; a backslash before a comma or at the end of a value is written
     * twice, others once (agent/options/option_text.h).
     */
    static List<String> words(String text) {
        List<String> words = new ArrayList<>();
        StringBuilder word = new StringBuilder();
        int from = 0;
        for (Matcher end = END_OF_WORD.matcher(text); end.find(); from = end.end()) {
            String escapes = end.group(1);
            boolean isOdd = escapes.length() % 2 == 1, isComma = !end.group(2).isEmpty();
            word.append(text, from, end.start()).append(escapes, 0, escapes.length() / 2);
            if (isOdd) word.append(isComma ? ',' : '\\');
            if (isOdd && isComma) continue;
            if (word.length() > 0) words.add(word.toString());
            word.setLength(0);
        }
        return words;
    }

    /** A value as words() reads it. */
    static String escaped(String value) {
        return value.replaceAll("(\\\\+)(?=,|\\z)", "$1$1").replace(",", "\\,");
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
            String value = equals < 0 ? null : word.substring(equals + 1);
            options.computeIfAbsent(key, unknown -> new ArrayList<>()).add(value);
        }
    }
}
