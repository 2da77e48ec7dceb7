package hearth;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * A file of budgets by name, made to be kept with the sources: a line for each, and an indented one for each site of it;
 * columns are separated by tabs. Read and written as a whole.
 */
final class RatchetFile {
    static final class Entry {
        final double bytes; // of an operation
        final String java; // the version that it was measured on
        final List<AllocationSite> sites; // empty when there was no agent

        Entry(double bytes, String java, List<AllocationSite> sites) {
            this.bytes = bytes;
            this.java = java;
            this.sites = sites;
        }
    }

    /** So many of the largest sites are kept of an entry. */
    static final int MOST_SITES = 20;

    private static final String HEAD = "# Bytes that an operation may allocate, by hearth.AllocationBudget. To lower what "
        + "got better and to add what is new,\n# run the tests with -D" + AllocationBudget.UPDATE + "=true; to allow more, "
        + "change the number here.\n";

    private final Path path;

    RatchetFile(Path path) {
        this.path = path;
    }

    Path path() {
        return path.toAbsolutePath();
    }

    /** Null when the file or the entry is not there. */
    synchronized Entry read(String name) throws IOException {
        return readAll().get(name);
    }

    /** Adds an entry or lowers it; the others stay. One that another check has made as low or lower meanwhile stays too. */
    void write(String name, Entry entry) throws IOException {
        synchronized (RatchetFile.class) {
            Map<String, Entry> entries = readAll();
            Entry present = entries.get(name);
            if (present != null && present.bytes <= entry.bytes) return;
            entries.put(name, entry);
            // Of a link the file that it leads to is the one to write.
            WholeFile.write(Files.exists(path) ? path.toRealPath() : path, textOf(entries));
        }
    }

    private Map<String, Entry> readAll() throws IOException {
        Map<String, Entry> entries = new TreeMap<>();
        if (!Files.exists(path)) return entries;
        Entry last = null;
        int number = 0;
        for (String line : Files.readAllLines(path, StandardCharsets.UTF_8)) {
            number++;
            if (line.isEmpty() || line.startsWith("# ")) continue;
            try {
                String[] columns = line.split("\t");
                if (columns[0].isEmpty()) {
                    last.sites.add(siteOf(columns));
                } else {
                    last = new Entry(amount(columns[1], " bytes"), columns[2].replaceFirst("^JDK ", ""), new ArrayList<>());
                    entries.put(columns[0], last);
                }
            } catch (RuntimeException malformed) {
                throw new IOException(path() + ", line " + number + " cannot be read: " + line.trim()
                    + "; it should be NAME, \"N bytes\" and \"JDK V\" with tabs between");
            }
        }
        return entries;
    }

    private static AllocationSite siteOf(String[] columns) {
        return new AllocationSite(columns[3], columns[4], columns[5], amount(columns[1], " bytes"), amount(columns[2], " objects"));
    }

    private static double amount(String column, String unit) {
        if (!column.endsWith(unit)) throw new IllegalArgumentException(column);
        double amount = Double.parseDouble(column.substring(0, column.length() - unit.length()));
        if (!(amount >= 0 && amount < Double.POSITIVE_INFINITY)) throw new IllegalArgumentException(column); // NaN, too
        return amount;
    }

    private static String textOf(Map<String, Entry> entries) {
        StringBuilder text = new StringBuilder(HEAD);
        entries.forEach((name, entry) -> {
            text.append('\n').append(name).append('\t').append(plain(entry.bytes)).append(" bytes\tJDK ").append(entry.java).append('\n');
            for (AllocationSite site : entry.sites.subList(0, Math.min(MOST_SITES, entry.sites.size()))) {
                text.append('\t').append(plain(site.bytes)).append(" bytes\t").append(plain(site.objects)).append(" objects\t");
                text.append(site.key()).append('\n');
            }
        });
        return text.toString();
    }

    private static String plain(double amount) {
        double shown = AllocationMeter.hundredths(amount);
        return shown == Math.rint(shown) ? Long.toString((long) shown) : String.format(Locale.ROOT, "%.2f", shown);
    }
}
