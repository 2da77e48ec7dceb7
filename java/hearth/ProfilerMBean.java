package hearth;

/**
 * The profiler of a JVM for JMX clients, as {@code hearth:type=Profiler}, once {@link Profiler#registerMBean()} was called.
 * Options that the process decides on, as {@code file} and {@code log}, are refused, unless it was registered by
 * {@link Profiler#registerUnrestrictedMBean()}.
 */
public interface ProfilerMBean {
    /** Runs one command in the grammar of the agent's options, as {@code start,event=cpu,interval=1ms}. Text comes back. */
    String execute(String command);

    /** Starts a session, as {@code event=cpu,interval=1ms}; "" takes the defaults. */
    String start(String options);

    /** Stops the session; {@code collapsed} or {@code flamegraph} returns it. */
    String stop(String output);

    /** Samples no more of an event, as {@code event=alloc}, while others of its session go on; "" pauses all of them. */
    String pause(String events);

    /** Goes on with what is paused. */
    String resume(String events);

    /** As stop, but the session goes on. */
    String dump(String output);

    /** What the agent is doing. */
    String getStatus();
}
