package hearth;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Another process of this machine, also of another user or in a container; uses the launcher. */
final class OtherJvm implements Target {
    private final long pid;

    OtherJvm(long pid) {
        this.pid = pid;
    }

    @Override
    public byte[] execute(String command) {
        Launcher.Answer answer = Launcher.run(arguments(new Command(command), pid));
        return answer.output.length > 0 ? answer.output : answer.said;
    }

    static List<String> arguments(Command command, long pid) {
        List<String> arguments = new ArrayList<>();
        boolean serves = command.options.containsKey("http");
        if (serves && !command.action.isEmpty()) {
            throw new IllegalArgumentException("option http: give it without an action to another process");
        }
        if (!serves && command.action.isEmpty()) throw new IllegalArgumentException("no action was given");
        arguments.add(serves ? "http" : command.action);
        // Before the options: after --wall it would be read as its value.
        arguments.add(Long.toString(pid));
        if (!command.formats.isEmpty()) arguments.add("--output=" + String.join(",", command.formats));
        if (!command.file.isEmpty()) arguments.add("--file=" + command.file);
        command.options.forEach((key, values) -> {
            // The launcher takes --event once.
            boolean isList = key.equals("event") && !values.contains(null);
            for (String value : isList ? Arrays.asList(String.join(",", values)) : values) arguments.add(argument(key, value));
        });
        return arguments;
    }

    private static String argument(String key, String value) {
        if (key.equals("http") && value != null) {
            return value.startsWith("unix:") ? "--socket=" + value.substring("unix:".length()) : "--port=" + value;
        }
        return value == null ? "--" + key : "--" + key + "=" + value;
    }
}
