package hearth;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiPredicate;

/**
 * A site that allocates more than before. Sites that differ only by numbers that compilers assign are matched by their
 * bytes: one that allocates as much as one of them did before has not grown. The rest counts as one site.
 */
final class SiteGrowth {
    final AllocationSite site;
    final double more; // bytes

    private SiteGrowth(AllocationSite site, double more) {
        this.site = site;
        this.more = more;
    }

    /**
     * Sorted by growth, the largest first. A site missing in {@code before} may have had up to {@code elsewhere} bytes.
     */
    static List<SiteGrowth> between(List<AllocationSite> before, List<AllocationSite> now, double elsewhere) {
        Map<String, List<AllocationSite>> alikeBefore = alike(before);
        List<SiteGrowth> grown = new ArrayList<>();
        alike(now).forEach((key, sites) -> {
            List<AllocationSite> had = alikeBefore.get(key);
            double bytes = had == null ? elsewhere : 0;
            if (had != null) {
                removeEqual(sites, had, (one, other) -> one.key().equals(other.key()));
                removeEqual(sites, had, (one, other) -> true);
                for (AllocationSite site : had) bytes += site.bytes;
            }
            if (sites.isEmpty()) return;
            AllocationSite all = sites.stream().reduce(AllocationSite::joined).get();
            double more = AllocationMeter.hundredths(all.bytes - bytes);
            if (more > 0) grown.add(new SiteGrowth(all, more));
        });
        grown.sort(Comparator.comparingDouble(one -> -one.more));
        return grown;
    }

    private static Map<String, List<AllocationSite>> alike(List<AllocationSite> sites) {
        Map<String, List<AllocationSite>> alike = new LinkedHashMap<>();
        for (AllocationSite site : sites) alike.computeIfAbsent(site.keyWithoutNumbers(), key -> new ArrayList<>()).add(site);
        return alike;
    }

    private static void removeEqual(List<AllocationSite> now, List<AllocationSite> before,
        BiPredicate<AllocationSite, AllocationSite> match) {
        for (Iterator<AllocationSite> sites = now.iterator(); sites.hasNext();) {
            AllocationSite site = sites.next();
            for (AllocationSite had : before) {
                if (AllocationMeter.hundredths(site.bytes) != AllocationMeter.hundredths(had.bytes) || !match.test(site, had)) continue;
                before.remove(had);
                sites.remove();
                break;
            }
        }
    }
}
