package hearth;

/**
 * The profiler of a JVM for JMX clients, as {@code hearth:type=Profiler}, after {@link Profiler#registerMBean()}.
 * Options that are reserved to the process, such as {@code file} and {@code log}, are refused, unless it was registered
 * by {@link Profiler#registerUnrestrictedMBean()}.
 */
public interface ProfilerMBean {
    /**
     * Runs one command in the grammar of the agent's options, such as {@code start,event=cpu,interval=1ms}. Returns
     * text.
     */
    String execute(String command);

    /** Starts a session, such as {@code event=cpu,interval=1ms}; "" selects the defaults. */
    String start(String options);

    /** Stops the session; {@code collapsed} or {@code flamegraph} returns its profile. */
    String stop(String output);

    /**
     * Pauses sampling of an event, such as {@code event=alloc}, while the other events of its session continue; ""
     * pauses all of them.
     */
    String pause(String events);

    /** Resumes paused events. */
    String resume(String events);

    /** As stop, but the session continues. */
    String dump(String output);

    /** State of the agent. */
    String getStatus();
}
