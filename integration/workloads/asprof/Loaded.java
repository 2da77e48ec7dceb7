import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import one.profiler.AsyncProfiler;
import one.profiler.AsyncProfilerLoader;
import one.profiler.Counter;
import one.profiler.Events;

/** Profiles itself by ap-loader's API and prints the collapsed stacks. The first argument is the library. */
public class Loaded {
    public static void main(String[] arguments) throws Exception {
        Path library = Paths.get(arguments[0]);
        if (!Files.exists(library)) throw new IllegalStateException("no " + library);
        AsyncProfiler profiler = AsyncProfiler.getInstance(library.toString());
        if (AsyncProfilerLoader.isSupported()) System.out.println("version " + profiler.getVersion());
        profiler.start(Events.CPU, 1_000_000);
        System.out.println(work());
        profiler.stop();
        System.out.println("samples " + profiler.getSamples());
        System.out.println(profiler.dumpCollapsed(Counter.SAMPLES));
    }

    static long work() {
        long sum = 0;
        for (int i = 0; i < 200_000_000; i++) sum += Integer.toString(i & 1023).length();
        return sum;
    }
}
