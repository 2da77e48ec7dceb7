package hearth.jmh;

import hearth.Profiler;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.ExternalProfiler;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.profile.ProfilerException;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ScalarResult;
import org.openjdk.jmh.results.TextResult;
import org.openjdk.jmh.runner.IterationType;

/**
 * Profiles the measured iterations of benchmarks: {@code -prof hearth.jmh.HearthProfiler:event=cpu;dir=profiles}. {@code
 * help} in place of the options lists them.
 *
 * <p>Each fork gets the agent at its start and writes one profile of its measured iterations, with all of its threads:
 * {@code DIR/BENCHMARK-MODE-PARAMETERS/cpu.html}; with several forks {@code cpu-fork1.html} and so on. Warm-up iterations
 * and warm-up forks are not profiled. JMH makes one object in its own JVM and one in each fork, and uses each on one
 * thread.
 */
public final class HearthProfiler implements InternalProfiler, ExternalProfiler {
    private static final String FORK = "hearth.jmh.fork"; // system property of a fork: its number
    private static final int ONLY_FORK = 0;
    private static final int WARM_UP_FORK = -1;
    private static final String SESSION = "session=jmh";

    private final ProfilerOptions options;
    private final Map<String, Integer> forks = new HashMap<>(); // begun so far, in the JVM of JMH
    private Profiler.Session session; // null while there is none
    private int iterations;
    private long bytes; // allocated up to the end of the iteration before

    /**
     * For JMH. Starts and stops a session in the JVM of JMH, so that a wrong option ends the run before the first benchmark.
     *
     * @throws ProfilerException when an option is wrong, this machine cannot be profiled, or help was asked for
     */
    public HearthProfiler(String line) throws ProfilerException {
        try {
            options = new ProfilerOptions(line);
            if (options.wantsHelp()) throw new ProfilerException(ProfilerOptions.HELP);
            if (System.getProperty(FORK) == null) Profiler.here().session(options.session()).stopToBytes("flat=1");
        } catch (IllegalArgumentException | IllegalStateException error) {
            throw new ProfilerException(error.getMessage());
        }
    }

    @Override
    public String getDescription() {
        return "hearth: profiles of CPU, wall clock, allocations and locks; option help lists its options";
    }

    @Override
    public Collection<String> addJVMInvokeOptions(BenchmarkParams params) {
        return Collections.emptyList();
    }

    @Override
    public Collection<String> addJVMOptions(BenchmarkParams params) {
        int begun = forks.merge(params.id(), 1, Integer::sum) - params.getWarmupForks();
        int number = begun <= 0 ? WARM_UP_FORK : params.getForks() == 1 ? ONLY_FORK : begun;
        // Without a session: the first measured iteration starts it. An agent that is there from the start knows the
        // lines of methods that are compiled before that, and needs no flag of newer JDKs.
        String agent = Profiler.jvmOption("").replaceFirst("=start$", "=version");
        return Arrays.asList(agent, "-XX:+UnlockDiagnosticVMOptions", "-XX:+DebugNonSafepoints", "-D" + FORK + "=" + number);
    }

    @Override
    public void beforeTrial(BenchmarkParams params) {}

    @Override
    public Collection<? extends Result<?>> afterTrial(BenchmarkResult result, long pid, File output, File errors) {
        return Collections.emptyList();
    }

    @Override
    public boolean allowPrintOut() {
        return true;
    }

    @Override
    public boolean allowPrintErr() {
        return true;
    }

    @Override
    public void beforeIteration(BenchmarkParams params, IterationParams iteration) {
        if (session != null || iteration.getType() != IterationType.MEASUREMENT || fork() == WARM_UP_FORK) return;
        iterations = 0;
        bytes = 0;
        session = Profiler.here().session(SESSION + "," + options.session());
    }

    @Override
    public Collection<? extends Result<?>> afterIteration(BenchmarkParams params, IterationParams iteration, IterationResult result) {
        if (session == null) return Collections.emptyList();
        List<Result<?>> results = new ArrayList<>();
        // One of each iteration: JMH takes a missing result for zero.
        if (options.measuresBytes()) results.add(bytesPerOperation(result.getMetadata().getAllOps()));
        if (++iterations < iteration.getCount()) return results;
        try {
            results.add(new TextResult(write(params.id()), "hearth"));
            return results;
        } catch (IOException error) {
            throw new IllegalStateException("the profile of " + params.id() + " cannot be written: " + error, error);
        } finally {
            session = null;
        }
    }

    private static int fork() {
        return Integer.getInteger(FORK, ONLY_FORK);
    }

    private ScalarResult bytesPerOperation(long operations) {
        long before = bytes;
        bytes = bytes();
        double each = operations == 0 ? Double.NaN : (double) (bytes - before) / operations;
        return new ScalarResult("hearth.alloc.norm", each, "B/op", AggregationPolicy.AVG);
    }

    // Ends the session. Returns its hottest methods and the names of its files.
    private String write(String benchmark) throws IOException {
        String hottest = session.stop("flat=" + Math.max(1, options.methods()));
        StringBuilder text = new StringBuilder(options.methods() == 0 ? "" : hottest);
        for (String format : options.formats()) {
            Path file = options.file(benchmark, fork(), format).toAbsolutePath().normalize();
            Files.createDirectories(file.getParent());
            Files.write(file, Profiler.here().dumpToBytes(SESSION + "," + format));
            text.append("hearth: profile ").append(file).append('\n');
        }
        return text.toString();
    }

    // Sum of the weights of all stacks.
    private static long bytes() {
        byte[] stacks = Profiler.here().dumpToBytes(SESSION + ",collapsed,total");
        long bytes = 0;
        for (String line : new String(stacks, StandardCharsets.UTF_8).split("\n")) {
            if (!line.isEmpty()) bytes += Long.parseLong(line.substring(line.lastIndexOf(' ') + 1));
        }
        return bytes;
    }
}
