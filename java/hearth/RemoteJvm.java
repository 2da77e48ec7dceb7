package hearth;

import java.io.IOException;
import java.io.UnsupportedEncodingException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A JVM with a control server (the agent's option http). */
final class RemoteJvm implements Target {
    private static final List<String> ACTIONS = Arrays.asList("start", "stop", "pause", "resume", "dump");
    private static final List<String> SAYING = Arrays.asList("start", "pause", "resume"); // the others make a profile
    private static final String UNIX = "unix:";
    private final Wire wire;
    private final String token;

    RemoteJvm(String url, String token) {
        if (url == null) throw new IllegalArgumentException("no address was given; use http://HOST:PORT or unix:PATH");
        this.wire = url.startsWith(UNIX) ? new UnixWire(url.substring(UNIX.length())) : new TcpWire(url);
        this.token = token == null ? "" : token.trim();
        if (!this.token.matches("[!-~]*")) throw new IllegalArgumentException("the token contains blanks or characters that are not ASCII");
    }

    @Override
    public byte[] execute(String text) {
        Command command = new Command(text);
        if (ACTIONS.contains(command.action)) return act(command);
        if (!command.options.isEmpty()) {
            throw new IllegalArgumentException(text + ": " + command.options.keySet().iterator().next() + " cannot be used over HTTP");
        }
        switch (command.action) {
            case "status": return bytes(statusText());
            case "metrics": return ask("GET", "/metrics", null);
            case "list": return bytes(eventsText());
            case "version": return bytes("hearth " + member(status(), "version"));
            default: throw new IllegalArgumentException(text + " cannot be used over HTTP");
        }
    }

    // Over HTTP a request has one format.
    @Override
    public String textFormat() {
        return "traces";
    }

    /** The server's reply at this path. */
    byte[] get(String path) {
        return ask("GET", path, null);
    }

    // Paths of time ranges of a store end in the format.
    private byte[] range(Command command) {
        StringBuilder path = new StringBuilder("/api/store/profile");
        if (command.formats.size() != 1) throw new IllegalArgumentException("a time range of a store needs exactly one format, such as pprof");
        path.append(command.formats.get(0).equals("pprof") ? ".pb.gz" : "." + command.formats.get(0).replace("flamegraph", "html"));
        char between = '?';
        for (Map.Entry<String, List<String>> option : command.options.entrySet()) {
            for (String value : option.getValue()) {
                if (option.getKey().equals("store") && value == null) continue;
                path.append(between).append(option.getKey()).append('=').append(encoded(value == null ? "true" : value));
                between = '&';
            }
        }
        return get(path.toString());
    }

    private static String encoded(String text) {
        try {
            return URLEncoder.encode(text, "UTF-8");
        } catch (UnsupportedEncodingException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private byte[] act(Command command) {
        if (command.action.equals("dump") && command.options.containsKey("store")) return range(command);
        Map<String, Object> body = new LinkedHashMap<>();
        command.options.forEach((key, values) -> body.put(key, values.size() == 1 ? value(values.get(0)) : values));
        if (!command.file.isEmpty()) body.put("file", command.file); // the server refuses it and names the alternative
        if (command.formats.size() > 1) throw new IllegalArgumentException("over HTTP exactly one output format can be given");
        if (!command.formats.isEmpty()) body.put("format", command.formats.get(0));
        byte[] reply = ask("POST", "/api/" + command.action, body);
        if (!command.formats.isEmpty()) return reply;
        Object read = Json.read(text(reply));
        if (SAYING.contains(command.action)) return bytes(member(read, "message"));
        return bytes("Stored on the server as " + member(read, "profile", "id"));
    }

    private static Object value(String value) {
        return value == null ? (Object) true : value;
    }

    private Object status() {
        return Json.read(text(ask("GET", "/api/status", null)));
    }

    // In the agent's wording.
    private String statusText() {
        Object status = status();
        Object sessions = ((Map<?, ?>) status).get("sessions");
        if (!(sessions instanceof List) || ((List<?>) sessions).isEmpty()) return "Nothing was profiled yet";
        StringBuilder text = new StringBuilder();
        for (Object session : (List<?>) sessions) text.append(text.length() == 0 ? "" : "\n").append(sessionText(session));
        return text.toString();
    }

    private static String sessionText(Object session) {
        double seconds = Double.parseDouble(member(session, "duration_ns")) / 1e9;
        String state = member(session, "state").equals("running") ? "running for" : "stopped after";
        String samples = member(session, "samples");
        return String.format(Locale.ROOT, "Profiling is %s %.1f s: %s, %s %s, %s lost, engine %s", state, seconds,
            member(session, "event"), samples, samples.equals("1") ? "sample" : "samples", member(session, "lost"),
            member(session, "engine"));
    }

    private String eventsText() {
        Object events = ((Map<?, ?>) Json.read(text(ask("GET", "/api/events", null)))).get("events");
        StringBuilder text = new StringBuilder("Basic events:\n");
        for (Object event : (List<?>) events) {
            text.append(String.format("  %-12s %s%n", member(event, "name"), member(event, "about")));
        }
        return text.toString();
    }

    private static String member(Object value, String... path) {
        for (String key : path) value = value instanceof Map ? ((Map<?, ?>) value).get(key) : null;
        return value == null ? "" : value.toString();
    }

    private byte[] ask(String method, String path, Map<String, Object> body) {
        try {
            Wire.Answer answer = wire.ask(method, path, body == null ? null : bytes(Json.write(body)), token);
            if (answer.status == 200) return answer.body;
            throw refusal(answer.status, text(answer.body));
        } catch (IOException error) {
            throw new IllegalStateException(wire + " does not answer: " + error.getMessage(), error);
        }
    }

    private RuntimeException refusal(int status, String said) {
        String why = wire + " answers with status " + status;
        try {
            Object error = Json.read(said);
            String message = member(error, "error", "message");
            String running = member(error, "error", "running");
            String hint = member(error, "error", "hint");
            if (!message.isEmpty()) why = message;
            if (!running.isEmpty()) why += ": " + running;
            if (!hint.isEmpty()) why += " (" + hint + ")";
        } catch (IllegalArgumentException noJson) {
            // Not the reply of a control server; only its status is reported.
        }
        boolean isWrong = status == 400 || status == 404 || status == 413;
        return isWrong ? new IllegalArgumentException(why) : new IllegalStateException(why);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
