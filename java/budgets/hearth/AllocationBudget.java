package hearth;

import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.concurrent.Callable;
import java.util.function.BooleanSupplier;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;

/**
 * Limits how much one operation may allocate: a check for JUnit, TestNG or a main method.
 *
 * <pre>{@code
 * AllocationBudget.of("decode tweet").bytes(1024).check(() -> decode(text));
 * AllocationBudget.of("decode tweet").ratchet("allocation-budgets.txt").check(() -> decode(text));
 * }</pre>
 *
 * <p>The operation runs on the calling thread. A warm-up of at least half a second and 20,000 operations (or of three
 * seconds) gets it compiled; rounds of about 20 ms follow. When the bytes of five consecutive rounds agree within 1 %
 * (or half a byte per operation) and the JIT compilers were idle meanwhile, the smallest of them is the result, rounded
 * to a hundredth of a byte per operation. Bytes are read from the JVM's own exact counter ({@code
 * com.sun.management.ThreadMXBean}), which excludes allocations of other threads. After 100 rounds, or 10 seconds with
 * at least ten rounds, agreement alone is enough; without it the check fails. It also fails when each of 20 consecutive
 * rounds allocates more than the one before.
 *
 * <p>The result is an average over a round. A rare allocation, such as an {@code ArrayList} that grows now and then or
 * a buffer that is replaced every millionth time, may fall outside the five rounds or round to zero: {@code bytes(0)}
 * then passes. To count it, let the operation start from a fresh state each time.
 *
 * <p>A check that fails runs the operation again under hearth's agent, which records every object, and reports the
 * sites that grew most and a flame graph. This needs JDK 11 on Linux x86-64. Elsewhere the check still compares bytes,
 * and its report names the missing parts. Objects are always counted by the agent.
 *
 * <p>The JIT compilers remove objects that do not escape. Near the limits of inlining, for example in calls of many
 * small functions, chance decides which, so one JVM may allocate an object or two more than the next. Allow for that
 * with {@link #tolerance}, or run the tests with {@code -XX:-DoEscapeAnalysis} (or {@code -XX:TieredStopAtLevel=1}),
 * with which every object is counted, every time.
 *
 * <p>A ratchet file holds budgets of many operations by name, and the bytes of their sites. It is written only with
 * {@code -Dhearth.update-budgets=true}, which adds missing entries and lowers those of operations that allocate less
 * now. An operation that exceeds its entry by more than its {@link #tolerance} (default: 1 %) fails even then. The
 * numbers depend on the JDK, so keep one file per JDK that you test on. Several JVMs may write one file at the same
 * time. Comments in it (lines that begin with "# ") are kept.
 *
 * <p>Flame graphs are written to the folder named by the system property {@code hearth.output-dir}, else to {@code
 * budgets} in HEARTH_HOME, else in ~/.hearth (with the environment's HOME), else in /tmp/hearth-UID. A file of the same
 * name is replaced.
 *
 * <p>Use a budget on one thread only. Checks on several threads use the agent one after another.
 */
public final class AllocationBudget {
    /** The system property that lets ratchet files be written. */
    static final String UPDATE = "hearth.update-budgets";

    private static final double USUAL_TOLERANCE_PERCENT = 1;
    private static final int USUAL_ROUNDS = 100;
    private static final double NONE = -1;

    private static Object result; // a field, so that the result escapes as it would to a caller that keeps it
    private static long primitive;

    private final String name;
    private double bytes = NONE;
    private double objects = NONE;
    private RatchetFile ratchet;
    private double tolerancePercent = USUAL_TOLERANCE_PERCENT;
    private int rounds = USUAL_ROUNDS;

    /** An operation without a result. */
    @FunctionalInterface
    public interface Operation {
        /** Runs it once. */
        void run() throws Exception;
    }

    /**
     * A budget was exceeded, or the operation never allocated the same amount twice. The message is the complete
     * report.
     */
    public static final class Exceeded extends AssertionError {
        private static final long serialVersionUID = 1;

        Exceeded(String message) {
            super(message);
        }
    }

    private AllocationBudget(String name) {
        this.name = name;
    }

    /**
     * A budget without limits, to which they are added.
     *
     * @param name the operation's name in messages, in the ratchet file and in the flame graph's file name
     */
    public static AllocationBudget of(String name) {
        if (name == null || name.trim().isEmpty()) throw new IllegalArgumentException("an allocation budget needs a name");
        if (name.trim().startsWith("# ") || name.matches("(?s).*[\\t\\r\\n].*")) {
            throw new IllegalArgumentException("an allocation budget's name is one line without tabs, and does not begin with '# ': "
                + name);
        }
        return new AllocationBudget(name.trim());
    }

    /** Allows at most this many bytes per operation; {@link #tolerance} does not add to them. */
    public AllocationBudget bytes(long most) {
        bytes = atLeast(0, most, "bytes");
        return this;
    }

    /**
     * Allows at most this many objects per operation. The agent has to count all of them: if it cannot, the check
     * fails.
     */
    public AllocationBudget objects(long most) {
        objects = atLeast(0, most, "objects");
        return this;
    }

    /**
     * Allows at most the bytes of this name's entry in the file. A relative path starts in the JVM's working directory.
     */
    public AllocationBudget ratchet(String file) {
        return ratchet(Paths.get(file));
    }

    /** Allows at most the bytes of this name's entry in the file. */
    public AllocationBudget ratchet(Path file) {
        ratchet = new RatchetFile(file);
        return this;
    }

    /**
     * Percentage (default: 1) by which rounds may differ, and by which an operation may exceed its entry in a ratchet
     * file. It does not raise {@link #bytes} or {@link #objects}.
     */
    public AllocationBudget tolerance(double percent) {
        if (!(percent >= 0 && percent <= 100)) throw new IllegalArgumentException("tolerance: " + percent + " is not between 0 and 100 percent");
        tolerancePercent = percent;
        return this;
    }

    /** Number of rounds, or tenths of a second, after which to give up (default: 100, at least 5). */
    public AllocationBudget rounds(int most) {
        rounds = (int) atLeast(AllocationMeter.AGREEING, most, "rounds");
        return this;
    }

    private static long atLeast(long least, long value, String what) {
        if (value < least) throw new IllegalArgumentException(what + ": " + value + " is less than " + least);
        return value;
    }

    /**
     * Checks an operation that returns an object. Exceptions of the operation are passed on.
     *
     * @return bytes per operation
     * @throws Exceeded when an operation allocates more than allowed
     * @throws IllegalStateException when no budget was given, or this JVM does not count bytes
     */
    public double check(Callable<?> operation) {
        return checkAny(() -> result = operation.call());
    }

    /**
     * As {@link #check(Callable)}, without a result. Name the type if javac cannot infer the lambda's return type
     * because it only throws: {@code check((AllocationBudget.Operation) () -> { throw new IOException(); })}.
     */
    public double check(Operation operation) {
        return checkAny(operation);
    }

    /** As {@link #check(Callable)}; the result is not boxed. */
    public double check(LongSupplier operation) {
        return checkAny(() -> primitive += operation.getAsLong());
    }

    /** As {@link #check(Callable)}; the result is not boxed. */
    public double check(DoubleSupplier operation) {
        return checkAny(() -> primitive += (long) operation.getAsDouble());
    }

    /** As {@link #check(Callable)}; the result is not boxed. */
    public double check(BooleanSupplier operation) {
        return checkAny(() -> primitive += operation.getAsBoolean() ? 1 : 0);
    }

    private double checkAny(Operation operation) {
        if (ratchet == null && bytes == NONE && objects == NONE) {
            throw new IllegalStateException("budget of " + name + " has no limit; call bytes(N), objects(N) or ratchet(FILE) before check");
        }
        if (ratchet != null && bytes != NONE) {
            throw new IllegalStateException("budget of " + name + " has two limits of bytes; call either bytes(N) or ratchet(FILE)");
        }
        try {
            return gate(operation);
        } catch (Exception thrown) {
            throw AllocationBudget.<RuntimeException>asIs(thrown);
        } finally {
            result = null;
        }
    }

    // Lets a checked exception of the operation pass through methods that declare none.
    @SuppressWarnings("unchecked")
    private static <E extends Exception> E asIs(Exception thrown) throws E {
        throw (E) thrown;
    }

    private double gate(Operation operation) throws Exception {
        RatchetFile.Entry entry = ratchet == null ? null : ratchet.read(name);
        AllocationMeter.Result measured = new AllocationMeter().measure(operation, tolerancePercent, rounds);
        if (!measured.settled) throw new Exceeded(restless(measured));
        BudgetEvidence evidence = new BudgetEvidence(name, operation, measured);
        if (ratchet != null) gateRatchet(entry, measured, evidence);
        double counted = objects == NONE ? NONE : evidence.objects(objects);
        if ((bytes != NONE && measured.least > bytes) || counted > objects) {
            BudgetReport report = new BudgetReport(name + " allocates more than its budget");
            if (bytes != NONE && measured.least > bytes) report.amounts("bytes", measured.least, bytes);
            else report.line("%-21s  %s measured", "bytes per operation", BudgetReport.amount(measured.least));
            if (counted > objects) report.amounts("objects", counted, objects);
            throw evidence.exceeded(report, null);
        }
        return measured.least;
    }

    private void gateRatchet(RatchetFile.Entry entry, AllocationMeter.Result measured, BudgetEvidence evidence) throws Exception {
        boolean writes = Boolean.getBoolean(UPDATE);
        if (entry == null && !writes) {
            throw new Exceeded(new BudgetReport(name + " has no entry in the ratchet file " + ratchet.path())
                .line("%-21s  %s measured", "bytes per operation", BudgetReport.amount(measured.least))
                .line("to add it, run this test with -D%s=true", UPDATE).text());
        }
        if (entry != null && measured.least > entry.bytes * (1 + tolerancePercent / 100)) {
            BudgetReport report = new BudgetReport(name + " allocates more than its entry in the ratchet file");
            report.amounts("bytes", measured.least, entry.bytes);
            report.line("%-21s  %s", "ratchet file", ratchet.path());
            if (!entry.java.equals(javaVersion())) {
                report.line("%-21s  measured on JDK %s, this is %s", "its entry was", entry.java, javaVersion());
            }
            if (writes) report.line("%-21s  never raises an entry; to allow more, change its number there", "-D" + UPDATE);
            throw evidence.exceeded(report, entry.sites.isEmpty() ? null : entry.sites);
        }
        boolean lower = entry == null || measured.least < entry.bytes;
        if (lower && writes) {
            ratchet.write(name, new RatchetFile.Entry(measured.least, javaVersion(), evidence.sites()));
        }
    }

    private String restless(AllocationMeter.Result measured) {
        BudgetReport report = new BudgetReport(name + " allocates a different amount in each round")
            .line("bytes per operation    %s to %s in the last %d of %d rounds of %s",
                BudgetReport.amount(measured.least), BudgetReport.amount(measured.most), AllocationMeter.AGREEING,
                measured.rounds, measured.work());
        if (measured.rises) {
            report.line("%d rounds in a row each allocated more than the one before: does the operation work on data that grows?",
                AllocationMeter.RISING);
        }
        return report.line("they should agree within %s %%: give the operation the same work each time, or allow more "
            + "with tolerance(PERCENT)%s", BudgetReport.amount(tolerancePercent),
            bytes != NONE ? "; bytes(N) is still compared with the smallest" : "").text();
    }

    static String javaVersion() {
        return System.getProperty("java.specification.version").replaceFirst("^1\\.", "");
    }
}
