package hearth;

import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Collections;
import java.util.List;

/** The agent's part in a budget check: a recorded run, made at most once and only if the check needs it. */
final class BudgetEvidence {
    private static final long PROFILED_BYTES = 8 << 20;
    private static final long MOST_PROFILED = 20_000; // operations
    private static final double NOTABLE = 0.01; // relative difference between the agent's bytes and the counter's
    private static final int LONGEST_FILE_NAME = 60;

    private final String name;
    private final AllocationBudget.Operation operation;
    private final AllocationMeter.Result measured;
    private final long times;
    private AllocationProfile profile;
    private String missing; // the reason if there is no profile

    BudgetEvidence(String name, AllocationBudget.Operation operation, AllocationMeter.Result measured) {
        this.name = name;
        this.operation = operation;
        this.measured = measured;
        long affordable = measured.least > 0 ? (long) (PROFILED_BYTES / measured.least) : MOST_PROFILED;
        times = Math.max(1, Math.min(affordable, Math.min(measured.operations, MOST_PROFILED)));
    }

    // Null if there is none.
    private AllocationProfile profile() throws Exception {
        if (profile == null && missing == null) {
            try {
                profile = new AllocationProfile(operation, times, name);
            } catch (AllocationProfile.Refused refused) {
                missing = refused.getMessage();
            }
        }
        return profile;
    }

    /** Empty without the agent. */
    List<AllocationSite> sites() throws Exception {
        return profile() == null ? Collections.emptyList() : profile.sites;
    }

    /** Objects per operation, to be compared with {@code allowed}. */
    double objects(double allowed) throws Exception {
        if (profile() == null) throw uncounted(missing);
        double counted = AllocationMeter.hundredths(profile.objects);
        if (counted > allowed) return counted;
        if (profile.unplaced > 0) {
            String objects = profile.unplaced == 1 ? "1 object: its stack is" : profile.unplaced + " objects: their stacks are";
            throw uncounted("of " + times + " operations the agent could not place " + objects + " deeper than "
                + AllocationProfile.DEEPEST_STACK + " frames, or it lost some; let the operation recurse less or allocate less");
        }
        if (missesObjects() || profile.bytes < measured.least * (1 - NOTABLE)) {
            throw uncounted("the agent saw " + BudgetReport.amount(profile.bytes) + " of " + BudgetReport.amount(measured.least)
                + " bytes per operation; use JDK 12 or newer, which reports every object to the agent");
        }
        return counted;
    }

    // The sampler of JDK 11 misses some objects, possibly many small ones allocated together with a large one.
    private static boolean missesObjects() {
        return AllocationBudget.javaVersion().equals("11");
    }

    private AllocationBudget.Exceeded uncounted(String why) {
        return new AllocationBudget.Exceeded(new BudgetReport(name + " has a budget of objects, which cannot be counted")
            .line("%s", why).text());
    }

    /** Adds the known details to the report of an exceeded budget; {@code before} may be null. */
    AllocationBudget.Exceeded exceeded(BudgetReport report, List<AllocationSite> before) throws Exception {
        report.line("%-21s  %d rounds of %s, %s bytes per operation from smallest to largest, on JDK %s", "measured in",
            AllocationMeter.AGREEING, measured.work(), BudgetReport.amount(measured.most - measured.least),
            AllocationBudget.javaVersion());
        if (profile() == null) {
            report.emptyLine().line("sites and flame graph cannot be shown: %s", missing);
        } else {
            report.sites(profile.sites, before);
            if (Math.abs(profile.bytes - measured.least) > measured.least * NOTABLE + measured.most - measured.least) {
                report.line("the agent recorded %s bytes per operation, shown here", BudgetReport.amount(profile.bytes));
            }
            report.emptyLine().line("%s", flameGraph());
        }
        return new AllocationBudget.Exceeded(report.text());
    }

    /** Adds a hash if characters of the name are not allowed in file names. */
    static String pageOf(String name) {
        String plain = name.replaceAll("[^\\p{L}\\p{N}._-]+", "-").replaceAll("^[-.]+|-+$", "");
        plain = plain.substring(0, Math.min(LONGEST_FILE_NAME, plain.length()));
        if (!plain.equals(name)) plain += (plain.isEmpty() ? "" : "-") + Integer.toHexString(name.hashCode());
        return plain + ".html";
    }

    private String flameGraph() {
        Path folder;
        try {
            folder = outputFolder();
        } catch (IllegalStateException error) {
            return "the flame graph cannot be written: " + error.getMessage();
        }
        try {
            return "flame graph of all allocations (not a difference): " + profile.writeFlameGraph(folder, pageOf(name));
        } catch (IOException error) {
            return "the flame graph cannot be written into " + folder + ": " + Reason.of(error)
                + "; choose another folder with -Dhearth.output-dir=DIR";
        }
    }

    private static Path outputFolder() {
        String named = System.getProperty("hearth.output-dir");
        return (named == null ? StateFolder.get().resolve("budgets") : Paths.get(named)).toAbsolutePath();
    }
}
