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
import org.openjdk.jmh.annotations.CompilerControl;
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

    /** The benchmark that JMH runs. */
    @State(Scope.Benchmark)
    public static class Boxes {
        @Param("100")
        public int size;

        @Benchmark
        public Object array() {
            return new long[size];
        }
    }

    /** A benchmark whose work is in a method that is never inlined, so that samples of it do not depend on chance. */
    @State(Scope.Benchmark)
    public static class Sums {
        @Param("1000")
        public int size;

        @Benchmark
        public long sum() {
            return total(size);
        }

        @CompilerControl(CompilerControl.Mode.DONT_INLINE)
        private static long total(int size) {
            long sum = size;
            for (int i = 0; i < size; i++) sum += sum * 31 % 1009;
            return sum;
        }
    }

    private ChainedOptionsBuilder benchmark(Class<?> type, String options) {
        return new OptionsBuilder().include(type.getName().replace('$', '.') + "\\.").warmupIterations(1).measurementIterations(3)
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
            Collection<RunResult> results = new Runner(benchmark(Boxes.class, "event=alloc;interval=2k").addProfiler(GCProfiler.class).forks(forks).build()).run();
            RunResult result = results.iterator().next();
            double counted = score(result, "gc.alloc.rate.norm");
            assertTrue(counted >= 816, "the benchmark's own " + counted);
            assertEquals(counted, score(result, "hearth.alloc.norm"), counted * 0.05, forks + " forks");
        }
    }

    private static double shareWith(String frame, Path collapsed) throws Exception {
        long all = 0;
        long found = 0;
        for (String line : Files.readAllLines(collapsed, StandardCharsets.UTF_8)) {
            long weight = Long.parseLong(line.substring(line.lastIndexOf(' ') + 1));
            all += weight;
            if (line.contains(frame)) found += weight;
        }
        return (double) found / all;
    }

    @Test
    void writesAFileOfEachForkAndFormat() throws Exception {
        new Runner(benchmark(Sums.class, "interval=1ms;output=collapsed,pprof").forks(2).warmupForks(1).build()).run();
        String place = "hearth.jmh.HearthProfilerTest.Sums.sum-Throughput-size-1000/";
        assertEquals(Arrays.asList(place + "cpu-fork1.collapsed", place + "cpu-fork1.pb.gz", place + "cpu-fork2.collapsed", place + "cpu-fork2.pb.gz"),
            files());
        for (String fork : new String[] {"fork1", "fork2"}) {
            double share = shareWith("HearthProfilerTest$Sums.total", folder.resolve(place + "cpu-" + fork + ".collapsed"));
            assertTrue(share > 0.5, fork + ": " + share);
        }
    }
}
