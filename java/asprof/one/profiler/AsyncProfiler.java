package one.profiler;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.StandardCopyOption;
import java.util.Locale;

/**
 * The API of async-profiler, executed by hearth. Code that was compiled for async-profiler runs with this class in its place, and
 * so does async-profiler's own class with hearth's library.
 */
public class AsyncProfiler implements AsyncProfilerMXBean {
  private static AsyncProfiler instance;

  private AsyncProfiler() {}

  /**
   * The profiler of this process. Its library is the agent that the JVM was started with, else the file that the property
   * {@code one.profiler.libraryPath} names, else the one in the jar of this class, else {@code libasyncProfiler.so} of the
   * library path.
   */
  public static AsyncProfiler getInstance() {
    return getInstance(null);
  }

  /** The same with the library at this path, for the first call. */
  public static synchronized AsyncProfiler getInstance(String libPath) {
    if (instance == null) {
      AsyncProfiler profiler = new AsyncProfiler();
      if (libPath != null) System.load(libPath);
      else if (!profiler.isLoaded()) loadLibrary();
      instance = profiler;
    }
    return instance;
  }

  private boolean isLoaded() {
    try {
      getVersion();
      return true;
    } catch (UnsatisfiedLinkError error) {
      return false;
    }
  }

  // The class that calls System.load is the one whose native methods the library registers.
  private static void loadLibrary() {
    String path = System.getProperty("one.profiler.libraryPath", "");
    if (!path.isEmpty()) {
      System.load(new File(path).getAbsolutePath());
      return;
    }
    Path unpacked = unpackedLibrary();
    if (unpacked == null) {
      System.loadLibrary("asyncProfiler");
      return;
    }
    try {
      System.load(unpacked.toAbsolutePath().toString());
    } finally {
      unpacked.toFile().delete(); // the process keeps the mapped file
    }
  }

  /** A copy of the library in the jar; null: it has none for this platform. */
  private static Path unpackedLibrary() {
    String resource = "/" + platform() + "/libasyncProfiler.so";
    String folder = System.getProperty("one.profiler.extractPath", "");
    try (InputStream packed = AsyncProfiler.class.getResourceAsStream(resource)) {
      if (packed == null) return null;
      Path file =
          folder.isEmpty()
              ? Files.createTempFile("libasyncProfiler-", ".so")
              : Files.createTempFile(Paths.get(folder), "libasyncProfiler-", ".so");
      Files.copy(packed, file, StandardCopyOption.REPLACE_EXISTING);
      return file;
    } catch (IOException error) {
      throw new IllegalStateException(error);
    }
  }

  private static String platform() {
    String processor = System.getProperty("os.arch").toLowerCase(Locale.ROOT);
    return processor.equals("aarch64") ? "linux-arm64" : "linux-x64";
  }

  /** Starts a session. {@code interval}: nanoseconds, or bytes for {@link Events#ALLOC}; 0: the default. */
  @Override
  public void start(String event, long interval) throws IllegalStateException {
    start0(required(event), interval, true);
  }

  /** Starts a session whose dumps also have the samples of the one before. */
  @Override
  public void resume(String event, long interval) throws IllegalStateException {
    start0(required(event), interval, false);
  }

  /** Stops the session; its samples can be dumped. */
  @Override
  public void stop() throws IllegalStateException {
    stop0();
  }

  /** How many samples the session has taken. */
  @Override
  public native long getSamples();

  @Override
  public String getVersion() {
    return answer("version");
  }

  /**
   * Executes a command in the language of the agent's options, such as {@code start,event=cpu,file=cpu.html}, and returns its
   * answer.
   */
  @Override
  public String execute(String command) throws IllegalArgumentException, IllegalStateException, IOException {
    return execute0(required(command));
  }

  @Override
  public String dumpCollapsed(Counter counter) {
    return answer("collapsed," + word(counter));
  }

  /** The hottest stacks; 0: all. */
  @Override
  public String dumpTraces(int maxTraces) {
    return answer(maxTraces == 0 ? "traces" : "traces=" + maxTraces);
  }

  /** The hottest methods; 0: all. */
  @Override
  public String dumpFlat(int maxMethods) {
    return answer(maxMethods == 0 ? "flat" : "flat=" + maxMethods);
  }

  /** The profile as a message of OpenTelemetry's profiling protocol. */
  @Override
  public byte[] dumpOtlp(Counter counter) {
    try {
      return execute1("otlp," + word(counter));
    } catch (IOException error) {
      throw new IllegalStateException(error);
    }
  }

  /** Adds a thread to a session that was started with the option {@code filter}; null: the calling one. */
  public void addThread(Thread thread) {
    chooseThread(thread, true);
  }

  /** Removes a thread from such a session. */
  public void removeThread(Thread thread) {
    chooseThread(thread, false);
  }

  private void chooseThread(Thread thread, boolean isWanted) {
    if (thread == null || thread == Thread.currentThread()) filterThread0(null, isWanted);
    else if (thread.isAlive()) filterThread0(thread, isWanted);
  }

  private String answer(String command) {
    try {
      return execute0(command);
    } catch (IOException error) {
      throw new IllegalStateException(error);
    }
  }

  private static String word(Counter counter) {
    return counter == Counter.SAMPLES ? "samples" : "total";
  }

  private static String required(String text) {
    if (text == null) throw new NullPointerException();
    return text;
  }

  private native void start0(String event, long interval, boolean reset) throws IllegalStateException;

  private native void stop0() throws IllegalStateException;

  private native String execute0(String command) throws IllegalArgumentException, IllegalStateException, IOException;

  private native byte[] execute1(String command) throws IllegalArgumentException, IllegalStateException, IOException;

  private native void filterThread0(Thread thread, boolean enable);
}
