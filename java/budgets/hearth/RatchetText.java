package hearth;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * The content of a ratchet file. Comments are kept: those before an empty line at the top, others with the entry that
 * follows.
 */
final class RatchetText {
    private static final String[] HEAD = {"# Bytes that an operation may allocate, by hearth.AllocationBudget. To lower improved "
        + "entries and to add new ones,", "# run the tests with -D" + AllocationBudget.UPDATE + "=true; to allow more, "
        + "change the number here."};
    private static final Pattern AMOUNT = Pattern.compile("\\d{1,15}(\\.\\d+)?");
    private static final String BYTE_ORDER_MARK = "\uFEFF";

    private final Path path; // for messages
    private final List<String> head = new ArrayList<>();
    private final Map<String, RatchetFile.Entry> entries = new TreeMap<>();
    private final Map<String, List<String>> comments = new HashMap<>(); // by the name of the entry
    private List<String> pending = new ArrayList<>(); // comments before the next entry or the file's end
    private final Map<String, Integer> lines = new HashMap<>(); // line number of each entry
    private RatchetFile.Entry last;

    /** From the bytes of a file. */
    RatchetText(Path path, byte[] content) throws IOException {
        this.path = path;
        int number = 0;
        for (String line : decoded(content).split("\r?\n", -1)) {
            number++;
            if (line.isEmpty()) endHead();
            else if (line.startsWith("# ") || line.equals("#")) pending.add(line);
            else read(line, number);
        }
        if (entries.isEmpty()) endHead();
    }

    private void endHead() {
        if (!entries.isEmpty() || pending.isEmpty()) return;
        if (!head.isEmpty()) head.add("");
        head.addAll(pending);
        pending.clear();
    }

    private void read(String line, int number) throws IOException {
        try {
            String[] columns = line.split("\t");
            if (columns[0].isEmpty()) last.sites.add(siteOf(columns));
            else add(columns, number);
        } catch (RuntimeException malformed) {
            throw new IOException(path + ", line " + number + " cannot be read: " + line.trim()
                + "; it should be NAME, \"N bytes\" and \"JDK V\" with tabs between");
        }
    }

    private void add(String[] columns, int number) throws IOException {
        String name = columns[0];
        last = new RatchetFile.Entry(amount(columns[1], " bytes"), columns[2].replaceFirst("^JDK ", ""), new ArrayList<>());
        entries.put(name, last);
        Integer before = lines.put(name, number);
        if (before != null) {
            throw new IOException(path + ", lines " + before + " and " + number + " are two entries for " + name + "; remove one, with its sites");
        }
        comments.put(name, pending);
        pending = new ArrayList<>();
    }

    private String decoded(byte[] content) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(content);
        try {
            String text = StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
            return text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text;
        } catch (CharacterCodingException wrong) {
            int line = 1;
            for (int i = 0; i < bytes.position(); i++) line += content[i] == '\n' ? 1 : 0;
            throw new IOException(path + ", line " + line + " is not UTF-8; save the file as UTF-8", wrong);
        }
    }

    private static AllocationSite siteOf(String[] columns) {
        return new AllocationSite(columns[3], columns[4], columns[5], amount(columns[1], " bytes"), amount(columns[2], " objects"));
    }

    // Accepts the format of numbers in messages only: no -5, NaN, 1e23.
    private static double amount(String column, String unit) {
        String number = column.endsWith(unit) ? column.substring(0, column.length() - unit.length()) : "";
        if (!AMOUNT.matcher(number).matches()) throw new IllegalArgumentException(column);
        return Double.parseDouble(number);
    }

    /** Null if there is none. */
    RatchetFile.Entry entry(String name) {
        return entries.get(name);
    }

    void put(String name, RatchetFile.Entry entry) {
        entries.put(name, entry);
    }

    /** The text to write. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        if (head.isEmpty()) append(text, Arrays.asList(HEAD));
        else append(text, head);
        entries.forEach((name, entry) -> {
            text.append('\n');
            append(text, comments.getOrDefault(name, Collections.emptyList()));
            text.append(name).append('\t').append(plain(entry.bytes)).append(" bytes\tJDK ").append(entry.java).append('\n');
            for (AllocationSite site : entry.sites.subList(0, Math.min(RatchetFile.MOST_SITES, entry.sites.size()))) {
                text.append('\t').append(plain(site.bytes)).append(" bytes\t").append(plain(site.objects)).append(" objects\t");
                text.append(site.key()).append('\n');
            }
        });
        if (!pending.isEmpty()) append(text.append('\n'), pending);
        return text.toString();
    }

    private static void append(StringBuilder text, List<String> lines) {
        for (String line : lines) text.append(line).append('\n');
    }

    private static String plain(double amount) {
        double shown = AllocationMeter.hundredths(amount);
        return shown == Math.rint(shown) ? Long.toString((long) shown) : String.format(Locale.ROOT, "%.2f", shown);
    }
}
