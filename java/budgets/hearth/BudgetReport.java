package hearth;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** The text of an exceeded budget, as a person reads it in a test's output. */
final class BudgetReport {
    private static final int SITES = 3;
    private static final double MOST_PERCENT = 1000;
    private static final double LEAST_PERCENT = 0.1;

    private final StringBuilder text = new StringBuilder();

    BudgetReport(String headline) {
        text.append(headline);
    }

    BudgetReport line(String format, Object... values) {
        text.append("\n  ").append(String.format(Locale.ROOT, format, values));
        return this;
    }

    BudgetReport emptyLine() {
        text.append('\n');
        return this;
    }

    /** "  bytes per operation    1,544 measured, 1,024 allowed (520 more, 51 %)". */
    BudgetReport amounts(String what, double measured, double allowed) {
        double more = measured - allowed;
        return line("%-21s  %s measured, %s allowed (%s more%s)", what + " per operation", amount(measured), amount(allowed),
            amount(more), percent(more / allowed * 100));
    }

    // Left out if it adds nothing to the numbers.
    private static String percent(double percent) {
        if (percent > MOST_PERCENT || percent < LEAST_PERCENT) return "";
        return String.format(Locale.ROOT, percent < 1 ? ", %.1g %%" : ", %.0f %%", percent);
    }

    /** The three sites that grew most since {@code before}, or the three largest when that is null. */
    BudgetReport sites(List<AllocationSite> now, List<AllocationSite> before) {
        emptyLine();
        if (before == null) {
            line("largest sites, per operation");
            now.stream().sorted(Comparator.comparingDouble(site -> -site.bytes)).limit(SITES).forEach(site -> site(site, ""));
            return this;
        }
        List<SiteGrowth> grown = SiteGrowth.between(before, now, mostOfOthers(before));
        line(grown.isEmpty() ? "no site allocates more than before" : "sites that grew most, per operation");
        for (SiteGrowth one : grown.subList(0, Math.min(SITES, grown.size()))) {
            boolean isNew = amount(one.more).equals(amount(one.site.bytes));
            site(one.site, isNew ? "new: " : "+" + amount(one.more) + " to ");
        }
        return this;
    }

    // Upper bound of the bytes of a site that the full table leaves out: the table holds the largest, in order.
    private static double mostOfOthers(List<AllocationSite> table) {
        boolean isFull = table != null && table.size() >= RatchetFile.MOST_SITES;
        return isFull ? table.get(table.size() - 1).bytes : 0;
    }

    private void site(AllocationSite site, String grown) {
        line("  %s%s bytes, %s  %s", grown, amount(site.bytes), objects(site.objects), site.allocated);
        line("      in %s", site.method);
        if (!site.caller.equals(site.method)) line("      called by %s", site.caller);
    }

    // An array that grows now and then is less than one object per operation.
    private static String objects(double objects) {
        String shown = amount(objects);
        if (shown.equals("0") && objects > 0) return "less than 0.01 objects";
        return shown.equals("1") ? "1 object" : shown + " objects";
    }

    String text() {
        return text.toString();
    }

    static String amount(double amount) {
        double shown = AllocationMeter.hundredths(amount);
        return String.format(Locale.ROOT, shown == Math.rint(shown) ? "%,.0f" : "%,.2f", shown);
    }
}
