package hearth;

import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.concurrent.Callable;
import java.util.function.BooleanSupplier;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;

/**
 * How much one operation may allocate, as a check for tests; in JUnit, TestNG or a main method.
 *
 * <pre>{@code
 * AllocationBudget.of("decode tweet").bytes(1024).check(() -> decode(text));
 * AllocationBudget.of("decode tweet").ratchet("allocation-budgets.txt").check(() -> decode(text));
 * }</pre>
 *
 * <p>The operation is run on the calling thread: first for at least half a second and 20,000 times (or for three
 * seconds), to be compiled; then in rounds of about 20 ms. When the bytes of five rounds in a row lie within 1 % (or
 * half a byte an operation) and the JIT compilers did nothing meanwhile, the least of them counts, to a hundredth of a
 * byte an operation. Bytes are those of the JVM's own exact counter ({@code com.sun.management.ThreadMXBean}); what
 * other threads allocate is not in them. After 100 rounds, or 10 seconds of at least ten of them, agreement alone is
 * enough, and without it the check fails; also when each of 20 rounds in a row allocates more than the one before.
 *
 * <p>What counts is what an operation allocates on average in a round. What is rare, as an {@code ArrayList} that grows
 * now and then or a buffer made anew every millionth time, may be in no round that counts, or round to nothing: {@code
 * bytes(0)} then passes. Let the operation begin anew each time when that is to count.
 *
 * <p>A check that fails runs the operation once more under hearth's agent, which records every object, and names the
 * sites that grew most and a flame graph. It needs JDK 11 on Linux x86-64 for that; elsewhere it compares bytes all the
 * same, and says what it could not show. Objects are counted by the agent alone.
 *
 * <p>The compilers take out objects that do not escape, and where inlining is at its limits, as in calls of many small
 * functions, it is chance which: one JVM may allocate an object or two more than the next. Let {@link #tolerance} allow
 * for that, or run the tests with {@code -XX:-DoEscapeAnalysis} (or {@code -XX:TieredStopAtLevel=1}): then every object
 * counts, every time.
 *
 * <p>A ratchet file holds the budgets of many operations by their names, and what their sites allocated. It is written
 * only with {@code -Dhearth.update-budgets=true}, which adds missing entries and lowers those that allocate less now; what
 * allocates more than its entry and its {@link #tolerance}, 1 % unless told otherwise, fails even then. Numbers depend on
 * the JDK, so let each that you test on have a file of its own. Several JVMs may write one file at once. Comments in it
 * (lines that begin with "# ") stay.
 *
 * <p>Flame graphs go to the folder that the system property {@code hearth.output-dir} names, else to {@code budgets} in
 * HEARTH_HOME, else in ~/.hearth (of the environment's HOME), else in /tmp/hearth-UID; one that has the same name is replaced.
 *
 * <p>Use one budget on one thread. Checks on several threads take turns at the agent.
 */
public final class AllocationBudget {
    /** The system property that lets ratchet files be written. */
    static final String UPDATE = "hearth.update-budgets";

    private static final double USUAL_TOLERANCE_PERCENT = 1;
    private static final int USUAL_ROUNDS = 100;
    private static final double NONE = -1;

    private static Object result; // so that it escapes, as it does for a caller that keeps it
    private static long primitive;

    private final String name;
    private double bytes = NONE;
    private double objects = NONE;
    private RatchetFile ratchet;
    private double tolerancePercent = USUAL_TOLERANCE_PERCENT;
    private int rounds = USUAL_ROUNDS;

    /** What is measured, when it has no result. */
    @FunctionalInterface
    public interface Operation {
        /** Runs it once. */
        void run() throws Exception;
    }

    /** A budget was exceeded, or the operation never allocated the same twice. The message says all there is to say. */
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
     * A budget that says nothing yet.
     *
     * @param name of the operation: in messages, in the ratchet file and of the flame graph
     */
    public static AllocationBudget of(String name) {
        if (name == null || name.trim().isEmpty()) throw new IllegalArgumentException("an allocation budget needs a name");
        if (name.trim().startsWith("# ") || name.matches("(?s).*[\\t\\r\\n].*")) {
            throw new IllegalArgumentException("an allocation budget's name is one line without tabs, and does not begin with '# ': "
                + name);
        }
        return new AllocationBudget(name.trim());
    }

    /** At most so many bytes in each operation; {@link #tolerance} does not add to them. */
    public AllocationBudget bytes(long most) {
        bytes = atLeast(0, most, "bytes");
        return this;
    }

    /** At most so many objects in each operation. The agent has to count them, all of them: where it cannot the check fails. */
    public AllocationBudget objects(long most) {
        objects = atLeast(0, most, "objects");
        return this;
    }

    /** At most what the entry of this name in the file says. A relative path begins in the JVM's working directory. */
    public AllocationBudget ratchet(String file) {
        return ratchet(Paths.get(file));
    }

    /** At most what the entry of this name in the file says. */
    public AllocationBudget ratchet(Path file) {
        ratchet = new RatchetFile(file);
        return this;
    }

    /**
     * How many percent (1) rounds may lie apart, and an operation above its entry in a ratchet file. It allows no more than
     * {@link #bytes} or {@link #objects} say.
     */
    public AllocationBudget tolerance(double percent) {
        if (!(percent >= 0 && percent <= 100)) throw new IllegalArgumentException("tolerance: " + percent + " is not 0 to 100 percent");
        tolerancePercent = percent;
        return this;
    }

    /** After how many rounds, or tenths of a second, to give up (100), at least 5. */
    public AllocationBudget rounds(int most) {
        rounds = (int) atLeast(AllocationMeter.AGREEING, most, "rounds");
        return this;
    }

    private static long atLeast(long least, long value, String what) {
        if (value < least) throw new IllegalArgumentException(what + ": " + value + " is less than " + least);
        return value;
    }

    /**
     * Checks an operation whose result is an object. What the operation throws comes through.
     *
     * @return bytes that an operation allocates
     * @throws Exceeded when that is more than allowed
     * @throws IllegalStateException when no budget was given, or this JVM does not count bytes
     */
    public double check(Callable<?> operation) {
        return checkAny(() -> result = operation.call());
    }

    /**
     * As {@link #check(Callable)}, without a result. Name the type where javac cannot tell what a lambda returns since it
     * only throws: {@code check((AllocationBudget.Operation) () -> { throw new IOException(); })}.
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
            throw new IllegalStateException("budget of " + name + ": give bytes(N), objects(N) or ratchet(FILE) before check");
        }
        if (ratchet != null && bytes != NONE) {
            throw new IllegalStateException("budget of " + name + ": bytes(N) and ratchet(FILE) both say what is allowed; give one");
        }
        try {
            return gate(operation);
        } catch (Exception thrown) {
            throw AllocationBudget.<RuntimeException>asIs(thrown);
        } finally {
            result = null;
        }
    }

    // A checked exception of the operation passes a method that declares none.
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
                .line("to add it run this test with -D%s=true", UPDATE).text());
        }
        if (entry != null && measured.least > entry.bytes * (1 + tolerancePercent / 100)) {
            BudgetReport report = new BudgetReport(name + " allocates more than its entry in the ratchet file");
            report.amounts("bytes", measured.least, entry.bytes);
            report.line("%-21s  %s", "ratchet file", ratchet.path());
            if (!entry.java.equals(javaVersion())) {
                report.line("%-21s  measured on JDK %s, this is %s", "its entry was", entry.java, javaVersion());
            }
            if (writes) report.line("%-21s  never raises an entry; to allow more change its number there", "-D" + UPDATE);
            throw evidence.exceeded(report, entry.sites.isEmpty() ? null : entry.sites);
        }
        boolean lower = entry == null || measured.least < entry.bytes;
        if (lower && writes) {
            ratchet.write(name, new RatchetFile.Entry(measured.least, javaVersion(), evidence.sites()));
        }
    }

    private String restless(AllocationMeter.Result measured) {
        BudgetReport report = new BudgetReport(name + " does not come to rest: what it allocates differs from round to round")
            .line("bytes per operation    %s to %s in the last %d of %d rounds of %s",
                BudgetReport.amount(measured.least), BudgetReport.amount(measured.most), AllocationMeter.AGREEING,
                measured.rounds, measured.work());
        if (measured.rises) {
            report.line("%d rounds in a row each allocated more than the one before: does the operation work on what it adds to?",
                AllocationMeter.RISING);
        }
        return report.line("they should lie within %s %%: give the operation the same work each time, or let rounds lie further "
            + "apart by tolerance(PERCENT)%s", BudgetReport.amount(tolerancePercent),
            bytes != NONE ? "; bytes(N) stays what it is, and is compared with the least" : "").text();
    }

    static String javaVersion() {
        return System.getProperty("java.specification.version").replaceFirst("^1\\.", "");
    }
}
