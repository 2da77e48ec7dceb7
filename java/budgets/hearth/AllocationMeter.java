package hearth;

import com.sun.management.ThreadMXBean;
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.util.Locale;
import java.util.function.LongSupplier;

/**
 * Measures the bytes that an operation allocates on this thread, by the JVM's own exact counter: a warm-up, then rounds
 * of equally many operations until enough consecutive rounds agree.
 */
final class AllocationMeter {
    /** Number of consecutive rounds that have to agree. */
    static final int AGREEING = 5;

    /** Number of consecutive rounds, each above the one before, after which the growth is taken for permanent. */
    static final int RISING = 20;

    /**
     * Time limit per allowed round. At least {@link #LEAST_ROUNDS} rounds run even if they are slower, unless fewer are
     * allowed.
     */
    static final long NS_OF_A_ROUND = 100_000_000L;
    static final int LEAST_ROUNDS = 10;

    private static final double NEGLIGIBLE = 0.5; // bytes per operation
    private static final long WARM_OPERATIONS = 20_000;
    private static final long WARM_NS = 500_000_000L;
    private static final long LONGEST_WARM_NS = 3_000_000_000L;
    private static final long ROUND_NS = 20_000_000L;
    private static final long MOST_OPERATIONS = 1 << 16; // per round

    private final ThreadMXBean counter;
    private final CompilationMXBean compilers = ManagementFactory.getCompilationMXBean();
    private final LongSupplier clock; // ns
    private final long thread = Thread.currentThread().getId();

    /** Figures of the last rounds. */
    static final class Result {
        final boolean settled;
        final int rounds; // in all
        final long operations; // per round
        final double least; // bytes per operation in the last AGREEING rounds, rounded to a hundredth
        final double most;
        final boolean rises; // from round to round

        Result(boolean settled, boolean rises, int rounds, long operations, long least, long most) {
            this.settled = settled;
            this.rises = rises;
            this.rounds = rounds;
            this.operations = operations;
            this.least = hundredths((double) least / operations);
            this.most = hundredths((double) most / operations);
        }

        /** "1,024 operations". */
        String work() {
            return String.format(Locale.ROOT, operations == 1 ? "%,d operation" : "%,d operations", operations);
        }
    }

    /** @throws IllegalStateException when this JVM does not count the bytes that this thread allocates */
    AllocationMeter() {
        this(System::nanoTime);
    }

    AllocationMeter(LongSupplier clock) {
        this.clock = clock;
        java.lang.management.ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        if (!(threads instanceof ThreadMXBean) || !((ThreadMXBean) threads).isThreadAllocatedMemorySupported()) {
            throw new IllegalStateException("this JVM does not count the bytes that its threads allocate; use HotSpot");
        }
        counter = (ThreadMXBean) threads;
        if (!counter.isThreadAllocatedMemoryEnabled()) counter.setThreadAllocatedMemoryEnabled(true);
        if (read() < 0) {
            throw new IllegalStateException("the JVM does not count the bytes that a virtual thread allocates; "
                + "check allocation budgets on a platform thread");
        }
    }

    static double hundredths(double amount) {
        return Math.round(amount * 100) / 100.0;
    }

    /** Runs the operation this many times. The name of this method marks the measured part of stacks. */
    static void operate(AllocationBudget.Operation operation, long times) throws Exception {
        for (long i = 0; i < times; i++) operation.run();
    }

    /**
     * Measures until the last rounds agree within this percentage, or within half a byte per operation, and the JIT
     * compilers were idle meanwhile. Idle compilers are no longer required in the last of {@code mostRounds}, or in the
     * last round that there is time for.
     */
    Result measure(AllocationBudget.Operation operation, double tolerancePercent, int mostRounds) throws Exception {
        long operations = warmUp(operation);
        long[] last = new long[AGREEING];
        long compiled = compilationTime();
        long began = clock.getAsLong();
        int restless = 0; // the last round in which something was compiled
        int rising = 0;
        for (int round = 1;; round++) {
            long before = last[(round - 1) % AGREEING];
            last[round % AGREEING] = allocatedBy(operation, operations);
            rising = round > 1 && last[round % AGREEING] > before ? rising + 1 : 0;
            long now = compilationTime();
            if (now != compiled) restless = round;
            compiled = now;
            boolean late = round >= LEAST_ROUNDS && clock.getAsLong() - began >= mostRounds * NS_OF_A_ROUND;
            boolean agreed = round >= AGREEING && agree(last, operations, tolerancePercent);
            boolean over = round >= mostRounds || late || (!agreed && rising >= RISING);
            if (over || (agreed && round - restless >= AGREEING)) {
                return new Result(agreed, rising >= RISING, round, operations, least(last), most(last));
            }
        }
    }

    static boolean agree(long[] rounds, long operations, double tolerancePercent) {
        long least = least(rounds);
        return most(rounds) - least <= Math.max(least * tolerancePercent / 100, operations * NEGLIGIBLE);
    }

    private static long least(long[] rounds) {
        long least = Long.MAX_VALUE;
        for (long bytes : rounds) least = Math.min(least, bytes);
        return least;
    }

    private static long most(long[] rounds) {
        long most = 0;
        for (long bytes : rounds) most = Math.max(most, bytes);
        return most;
    }

    // Returns the number of operations that take about a round's time.
    private long warmUp(AllocationBudget.Operation operation) throws Exception {
        long operations = 1;
        long done = 0;
        long began = clock.getAsLong();
        for (;;) {
            long start = clock.getAsLong();
            operate(operation, operations);
            long end = clock.getAsLong();
            done += operations;
            boolean warm = end - began >= WARM_NS && done >= WARM_OPERATIONS;
            if (warm || end - began >= LONGEST_WARM_NS) return operations;
            if (end - start < ROUND_NS) operations = Math.min(operations * 2, MOST_OPERATIONS);
            else if (end - start > 2 * ROUND_NS) operations = Math.max(operations / 2, 1);
        }
    }

    // Excludes the bytes that reading the counter allocates itself.
    private long allocatedBy(AllocationBudget.Operation operation, long times) throws Exception {
        long first = read();
        long before = read();
        operate(operation, times);
        long after = read();
        return Math.max(0, (after - before) - (before - first));
    }

    private long read() {
        return counter.getThreadAllocatedBytes(thread);
    }

    // 0 if the JVM has no compiler or does not measure compilation time.
    private long compilationTime() {
        boolean isKnown = compilers != null && compilers.isCompilationTimeMonitoringSupported();
        return isKnown ? compilers.getTotalCompilationTime() : 0;
    }
}
