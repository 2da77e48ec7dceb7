package hearth.build;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Results of a build's recordings: one profile, a page, and the difference from a stored base. All methods throw
 * IllegalStateException with hearth's message on failure. Not for several threads at one folder.
 */
public final class BuildReport {
    private static final String ROWS = "5";
    private final ProfileFolder folder;

    /** Reads and writes the files of this folder. */
    public BuildReport(ProfileFolder folder) {
        this.folder = folder;
    }

    /**
     * Merges all recordings, and writes the result also in these formats.
     *
     * @param formats separated by commas: html, pprof, jfr, otlp, collapsed, txt
     * @param options of {@code hearth convert} for these formats, separated by blanks, such as {@code --simple}; null or
     *     "" is none
     * @return the written files, the first of these formats first; empty if there is no recording
     * @throws IllegalArgumentException for an unknown format
     */
    public List<Path> write(String formats, String options) throws IOException {
        List<String> endings = Format.endings(formats);
        List<Path> recordings = folder.recordings();
        if (recordings.isEmpty()) return Collections.emptyList();
        List<String> merge = new ArrayList<>(Collections.singletonList("convert"));
        recordings.forEach(recording -> merge.add(recording.toString()));
        merge.add(folder.profile().toString());
        HearthCommand.run(merge);
        List<Path> written = new ArrayList<>();
        for (String ending : endings) {
            Path file = folder.profile(ending);
            if (!file.equals(folder.profile())) convert(file, options);
            written.add(file);
        }
        if (!written.contains(folder.profile())) written.add(folder.profile());
        return written;
    }

    private void convert(Path file, String options) throws IOException {
        List<String> arguments = new ArrayList<>(Collections.singletonList("convert"));
        arguments.addAll(words(options));
        arguments.add(folder.profile().toString());
        arguments.add(file.toString());
        HearthCommand.run(arguments);
    }

    /** Quality, hottest methods and hottest paths of the merged profile, as text of about 20 lines. */
    public String text() throws IOException {
        return HearthCommand.run(Arrays.asList("report", "--top", ROWS, folder.profile().toString())).output;
    }

    /** Stores the merged profile as the base of later differences. */
    public void storeBase(Path base) throws IOException {
        Path target = Files.isDirectory(base) ? base.resolve(System.currentTimeMillis() + ".pb.gz") : base.toAbsolutePath();
        Files.createDirectories(target.getParent());
        Files.copy(folder.profile(), target, StandardCopyOption.REPLACE_EXISTING);
    }

    /**
     * Writes the page of the difference from the base.
     *
     * @param base a stored profile, or a folder of several: the sampling error then includes how far these runs differ
     * @param options of {@code hearth diff}, separated by blanks, such as {@code --absolute -e alloc}; null or "" is none
     */
    public Growth compare(Path base, String options) throws IOException {
        HearthCommand.run(difference(base, options, "--file", folder.difference().toString()));
        return new Growth(false, HearthCommand.run(difference(base, options, "--top", ROWS)).output);
    }

    /**
     * As compare, and reports whether a method grew.
     *
     * @param percent allowed growth, in percentage points of the profile's total; with {@code --absolute} in percent of
     *     the total before. Growth within the sampling error is no growth.
     */
    public Growth check(Path base, String options, double percent) throws IOException {
        HearthCommand.run(difference(base, options, "--file", folder.difference().toString()));
        HearthCommand command = HearthCommand.run(difference(base, options, "--top", ROWS, "--fail-above", Double.toString(percent)));
        boolean grew = command.status == HearthCommand.GREW;
        return new Growth(grew, grew ? command.errors : command.output);
    }

    private List<String> difference(Path base, String options, String... more) throws IOException {
        List<String> arguments = new ArrayList<>(Collections.singletonList("diff"));
        arguments.addAll(words(options));
        arguments.addAll(Arrays.asList(more));
        arguments.addAll(bases(base));
        arguments.add("--");
        arguments.add(folder.profile().toString());
        return arguments;
    }

    private static List<String> bases(Path base) throws IOException {
        if (!Files.isDirectory(base)) return Collections.singletonList(base.toString());
        try (Stream<Path> files = Files.list(base)) {
            List<String> found = files.map(Path::toString).filter(file -> file.endsWith(".pb.gz")).sorted().collect(Collectors.toList());
            if (found.isEmpty()) throw new IllegalStateException(base + " has no profile that ends in .pb.gz");
            return found;
        }
    }

    private static List<String> words(String options) {
        if (options == null || options.trim().isEmpty()) return Collections.emptyList();
        return Arrays.asList(options.trim().split("\\s+"));
    }

    /** Result of a comparison. Immutable. */
    public static final class Growth {
        private final boolean grew;
        private final String text;

        private Growth(boolean grew, String text) {
            this.grew = grew;
            this.text = text;
        }

        /** True if a method grew by more than was allowed and beyond the sampling error. */
        public boolean grew() {
            return grew;
        }

        /** The method that grew most, in one line; without growth, the largest changes. */
        public String text() {
            return text;
        }
    }
}
