package one.profiler;

import java.io.IOException;

/** The profiler as a JMX bean; {@link Agent} registers it. */
public interface AsyncProfilerMXBean {
  String OBJECT_NAME = "one.profiler:type=AsyncProfiler";

  void start(String event, long interval) throws IllegalStateException;

  void resume(String event, long interval) throws IllegalStateException;

  void stop() throws IllegalStateException;

  long getSamples();

  String getVersion();

  String execute(String command) throws IllegalArgumentException, IllegalStateException, IOException;

  String dumpCollapsed(Counter counter);

  String dumpTraces(int maxTraces);

  String dumpFlat(int maxMethods);

  byte[] dumpOtlp(Counter counter);
}
