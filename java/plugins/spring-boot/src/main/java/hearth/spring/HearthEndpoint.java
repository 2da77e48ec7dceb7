package hearth.spring;

import hearth.Profiler;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.lang.Nullable;
import org.springframework.util.MimeType;

/**
 * {@code /actuator/hearth}: profiles of this JVM. As with every endpoint of the actuator, it is reachable only where
 * {@code management.endpoints.web.exposure.include} names it, and whoever may call it is the application's decision:
 * profiles contain names of the program and its labels.
 *
 * <ul>
 * <li>{@code GET} : status
 * <li>{@code GET profile?seconds=10&event=cpu&format=flamegraph}: profiles, then answers with the profile
 * <li>{@code POST start {"event": "alloc"}}, {@code GET dump?format=pprof}, {@code POST stop {"format": "pprof"}}: a
 *     session that runs on between requests
 * </ul>
 *
 * <p>Requests choose what to measure and in which format, and nothing else: no files, ports or servers. Errors are JSON
 * with the agent's text: 400 for a wrong value, 409 if it cannot be done now, 429 when {@value #MOST_AT_ONE_TIME} requests
 * are profiling. Thread safe.
 */
@WebEndpoint(id = "hearth")
public class HearthEndpoint {
    static final int MOST_AT_ONE_TIME = 4;

    private static final String SESSION = "actuator"; // the one of start, stop and dump, if a request names none
    private static final int USUAL_SECONDS = 10;
    private static final int BAD_REQUEST = 400;
    private static final int NOT_FOUND = 404;
    private static final int CONFLICT = 409;
    private static final int TOO_MANY_REQUESTS = 429;

    private static final Map<String, MimeType> FORMATS = Map.of(
        "flamegraph", MimeType.valueOf("text/html"), "pprof", MimeType.valueOf("application/octet-stream"),
        "jfr", MimeType.valueOf("application/octet-stream"), "otlp", MimeType.valueOf("application/octet-stream"),
        "collapsed", MimeType.valueOf("text/plain;charset=UTF-8"), "flat", MimeType.valueOf("text/plain;charset=UTF-8"));
    private static final MimeType JSON = MimeType.valueOf("application/json");

    private final Duration longest;
    private final Service service;
    private final Semaphore profiling = new Semaphore(MOST_AT_ONE_TIME);

    /** An endpoint whose requests may profile for at most this long. */
    HearthEndpoint(Duration longest, Service service) {
        this.longest = longest;
        this.service = service;
    }

    /** State of the agent, which the first call loads. */
    @ReadOperation
    public WebEndpointResponse<Object> status() {
        return answered(() -> {
            List<String> lines = Profiler.here().getStatus().lines().toList();
            Map<String, Object> status = new LinkedHashMap<>();
            if (!service.name().isEmpty()) status.put("service", service.name());
            status.put("pid", ProcessHandle.current().pid());
            status.put("status", lines.isEmpty() ? "" : lines.get(0));
            status.put("details", lines.stream().skip(1).map(String::strip).toList());
            return new WebEndpointResponse<>(status, WebEndpointResponse.STATUS_OK, JSON);
        });
    }

    /**
     * {@code profile}: profiles for some seconds. {@code dump}: the profile so far of a session that {@code start} began.
     *
     * @param seconds 10 by default
     * @param format {@code flamegraph} (the default), {@code pprof}, {@code jfr}, {@code otlp}, {@code collapsed} or {@code flat}
     */
    @ReadOperation(produces = {"text/html", "application/octet-stream", "text/plain", "application/json"})
    public WebEndpointResponse<Object> read(@Selector String action, @Nullable Integer seconds, @Nullable String event,
        @Nullable String interval, @Nullable Boolean threads, @Nullable String format, @Nullable String session) {
        return answered(() -> switch (action) {
            case "profile" -> profile(seconds, options(new AgentCommand(""), event, interval, threads).toString(), format);
            case "dump" -> page(Profiler.here().executeToBytes(output("dump", session, format)), format);
            default -> unknown("GET", action, "profile, dump");
        });
    }

    /** {@code start}: begins a session. {@code stop}: ends it and answers with its profile. */
    @WriteOperation(produces = {"text/html", "application/octet-stream", "text/plain", "application/json"})
    public WebEndpointResponse<Object> write(@Selector String action, @Nullable String event, @Nullable String interval,
        @Nullable Boolean threads, @Nullable String format, @Nullable String session) {
        return answered(() -> switch (action) {
            case "start" -> {
                AgentCommand command = new AgentCommand("start").with("session", name(session));
                String message = Profiler.here().execute(options(command, event, interval, threads).toString());
                yield new WebEndpointResponse<>(Map.of("message", message.strip()), WebEndpointResponse.STATUS_OK, JSON);
            }
            case "stop" -> page(Profiler.here().executeToBytes(output("stop", session, format)), format);
            default -> unknown("POST", action, "start, stop");
        });
    }

    private WebEndpointResponse<Object> profile(@Nullable Integer seconds, String options, @Nullable String format) {
        int wanted = seconds == null ? USUAL_SECONDS : seconds;
        if (wanted < 1 || wanted > longest.toSeconds()) {
            throw new IllegalArgumentException("seconds=" + wanted + ": write 1 to " + longest.toSeconds() + " (property hearth.longest-profile)");
        }
        String output = output("", format);
        if (!profiling.tryAcquire()) return error(TOO_MANY_REQUESTS, MOST_AT_ONE_TIME + " requests are profiling; try again when one has ended");
        try {
            Profiler.Session session = Profiler.here().session(options);
            boolean isInterrupted = waited(wanted);
            byte[] profile = session.stopToBytes(output);
            if (isInterrupted) Thread.currentThread().interrupt();
            return page(profile, format);
        } finally {
            profiling.release();
        }
    }

    // Returns early, and true, when the server ends.
    private static boolean waited(int seconds) {
        try {
            Thread.sleep(Duration.ofSeconds(seconds).toMillis());
            return false;
        } catch (InterruptedException interrupted) {
            return true;
        }
    }

    private static AgentCommand options(AgentCommand command, @Nullable String event, @Nullable String interval, @Nullable Boolean threads) {
        command.with("event", event == null ? "cpu" : event).with("interval", interval);
        return Boolean.TRUE.equals(threads) ? command.word("threads") : command;
    }

    // Requests reach sessions of this endpoint alone: not those of other clients by name, nor any by its number.
    private static String name(@Nullable String session) {
        return session == null || session.isEmpty() ? SESSION : SESSION + "-" + session;
    }

    private String output(String action, @Nullable String session, @Nullable String format) {
        return output(new AgentCommand(action).with("session", name(session)).toString(), format);
    }

    private String output(String command, @Nullable String format) {
        String wanted = formatOf(format);
        AgentCommand output = new AgentCommand(command).word(wanted);
        return wanted.equals("flamegraph") ? output.with("title", service.name().replace(',', ' ')).toString() : output.toString();
    }

    private static String formatOf(@Nullable String format) {
        if (format == null || format.isEmpty()) return "flamegraph";
        if (FORMATS.containsKey(format)) return format;
        throw new IllegalArgumentException("format=" + format + ": write flamegraph, pprof, jfr, otlp, collapsed or flat");
    }

    private static WebEndpointResponse<Object> page(byte[] profile, @Nullable String format) {
        return new WebEndpointResponse<>(new ByteArrayResource(profile), WebEndpointResponse.STATUS_OK, FORMATS.get(formatOf(format)));
    }

    private static WebEndpointResponse<Object> unknown(String method, String action, String known) {
        return error(NOT_FOUND, method + " " + action + ": there is no such action; use " + known);
    }

    private static WebEndpointResponse<Object> error(int status, String message) {
        return new WebEndpointResponse<>(Map.of("error", message), status, JSON);
    }

    private interface Work {
        WebEndpointResponse<Object> run();
    }

    private static WebEndpointResponse<Object> answered(Work work) {
        try {
            return work.run();
        } catch (IllegalArgumentException wrong) {
            return error(BAD_REQUEST, String.valueOf(wrong.getMessage()));
        } catch (IllegalStateException notNow) {
            return error(CONFLICT, String.valueOf(notNow.getMessage()));
        }
    }
}
