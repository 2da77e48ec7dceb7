package hearth.testing;

import hearth.AllocationBudget;

/** Limits of a test's allocation, as {@link AllocationBudget} has them. Immutable. */
public final class BudgetSettings {
    private final String bytes;
    private final long objects;
    private final String ratchet;
    private final double tolerance;
    private final int rounds;

    /**
     * Limits per run of the test.
     *
     * @param bytes such as {@code 296} or {@code 2MB} (1024 each); "" for none
     * @param objects a number; negative for none
     * @param ratchet the file with the limit; "" for none
     * @param tolerance in percent
     * @param rounds after which to give up
     */
    public BudgetSettings(String bytes, long objects, String ratchet, double tolerance, int rounds) {
        this.bytes = bytes;
        this.objects = objects;
        this.ratchet = ratchet;
        this.tolerance = tolerance;
        this.rounds = rounds;
    }

    /**
     * Runs the test until its allocations are known, and checks them.
     *
     * @param name of the budget in messages and in the ratchet file
     * @return bytes per run
     * @throws AllocationBudget.Exceeded when the test allocates more than allowed
     * @throws IllegalArgumentException when a limit is wrong
     * @throws IllegalStateException when there is no limit, or two of bytes
     */
    public double check(String name, AllocationBudget.Operation test) {
        AllocationBudget budget = AllocationBudget.of(name).tolerance(tolerance).rounds(rounds);
        if (!bytes.isEmpty()) budget.bytes(ByteSize.parse(bytes));
        if (objects >= 0) budget.objects(objects);
        if (!ratchet.isEmpty()) budget.ratchet(ratchet);
        return budget.check(test);
    }
}
