package hearth.jmh;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

public class HearthProfilerTest {
    @TempDir
    Path folder;

    /** What JMH runs. */
    @State(Scope.Benchmark)
    public static class Boxes {
        @Param("100")
        public int size;

        @Benchmark
        public Object array() {
            return new long[size];
        }
    }

    private ChainedOptionsBuilder benchmark(String options) {
        return new OptionsBuilder().include(Boxes.class.getName().replace('$', '.')).warmupIterations(1).measurementIterations(3)
            .warmupTime(TimeValue.milliseconds(200)).measurementTime(TimeValue.milliseconds(200))
            .addProfiler(HearthProfiler.class, options + ";dir=" + folder);
    }

    private List<String> files() throws Exception {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile).map(file -> folder.relativize(file).toString()).sorted().collect(Collectors.toList());
        }
    }

    private static double score(RunResult result, String name) {
        return result.getSecondaryResults().get(name).getScore();
    }

    @Test
    void bytesPerOperationAreThoseOfTheJvm() throws RunnerException {
        for (int forks : new int[] {0, 1, 2}) {
            Collection<RunResult> results = new Runner(benchmark("event=alloc;interval=2k").addProfiler(GCProfiler.class).forks(forks).build()).run();
            RunResult result = results.iterator().next();
            double counted = score(result, "gc.alloc.rate.norm");
            assertTrue(counted >= 816, "the benchmark's own " + counted);
            assertEquals(counted, score(result, "hearth.alloc.norm"), counted * 0.05, forks + " forks");
        }
    }

    @Test
    void writesAFileOfEachForkAndFormat() throws Exception {
        new Runner(benchmark("output=collapsed,pprof").forks(2).warmupForks(1).build()).run();
        String place = "hearth.jmh.HearthProfilerTest.Boxes.array-Throughput-size-100/";
        assertEquals(Arrays.asList(place + "cpu-fork1.collapsed", place + "cpu-fork1.pb.gz", place + "cpu-fork2.collapsed", place + "cpu-fork2.pb.gz"),
            files());
        String stacks = new String(Files.readAllBytes(folder.resolve(place + "cpu-fork2.collapsed")), StandardCharsets.UTF_8);
        assertTrue(stacks.contains("Boxes.array"), stacks);
    }
}
