package sample;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 1, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 2, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(2)
public class Sums {
    @Param({"1000", "100000"})
    public int size;

    private Long[] values;

    @Setup
    public void fill() {
        values = new Long[size];
        for (int i = 0; i < size; i++) values[i] = i * 1_000L;
    }

    @Benchmark
    public Long[] doubled() {
        return twice(values);
    }

    private static Long[] twice(Long[] values) {
        Long[] doubled = new Long[values.length];
        for (int i = 0; i < values.length; i++) doubled[i] = 2 * values[i];
        return doubled;
    }
}
