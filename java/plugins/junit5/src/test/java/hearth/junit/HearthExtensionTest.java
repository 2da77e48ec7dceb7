package hearth.junit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Events;

class HearthExtensionTest {
    @TempDir
    Path folder;

    @BeforeEach
    void setFolder() {
        System.setProperty("hearth.output-dir", folder.toString());
    }

    @AfterEach
    void unset() {
        System.clearProperty("hearth.output-dir");
    }

    private static Events run(Class<?> tests) {
        return EngineTestKit.engine("junit-jupiter").selectors(selectClass(tests)).execute().testEvents();
    }

    private static List<String> failures(Events tests) {
        return tests.failed().stream()
            .map(event -> event.getRequiredPayload(org.junit.platform.engine.TestExecutionResult.class))
            .map(result -> String.valueOf(result.getThrowable().get().getMessage()))
            .collect(Collectors.toList());
    }

    private List<String> files() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).sorted().collect(Collectors.toList());
        }
    }

    private static long work(long milliseconds) {
        long sum = 0;
        for (long end = System.nanoTime() + milliseconds * 1_000_000; System.nanoTime() < end;) {
            for (int i = 0; i < 10_000; i++) sum += i * sum % 7;
        }
        return sum;
    }

    static class OfMethods {
        @Test
        @Profiled(interval = "1ms", format = "collapsed")
        void isProfiled() {
            assertTrue(work(300) >= Long.MIN_VALUE);
        }

        @Test
        @Profiled(file = "named.pb.gz")
        void namesFile() {}

        @Test
        void isNotProfiled() {}
    }

    @Test
    void profilesAnnotatedMethods() throws IOException {
        run(OfMethods.class).assertStatistics(counts -> counts.succeeded(3));
        String profile = OfMethods.class.getName() + ".isProfiled.collapsed";
        assertEquals(java.util.Arrays.asList(profile, "named.pb.gz"), files());
        String stacks = new String(Files.readAllBytes(folder.resolve(profile)), StandardCharsets.UTF_8);
        assertTrue(stacks.contains("HearthExtensionTest.work"), stacks);
    }

    @Profiled(format = "flat")
    static class OfClass {
        @ParameterizedTest
        @ValueSource(ints = {1, 2})
        void isProfiledEachTime(int number) {
            assertTrue(number > 0);
        }

        @Test
        void fails() {
            throw new AssertionError("on purpose");
        }
    }

    @Test
    void profilesEachTestOfAClassAlsoOneThatFails() throws IOException {
        run(OfClass.class).assertStatistics(counts -> counts.succeeded(2).failed(1));
        String name = OfClass.class.getName();
        assertEquals(java.util.Arrays.asList(name + ".fails.txt", name + ".isProfiledEachTime-1.txt", name + ".isProfiledEachTime-2.txt"), files());
    }

    static class Wrong {
        @Test
        @Profiled(event = "nothing")
        void hasNoSuchEvent() {}

        @Test
        @Profiled(format = "svg")
        void hasNoSuchFormat() {}
    }

    @Profiled(file = "one.html")
    static class WrongClass {
        @Test
        void sharesAFile() {}
    }

    @Test
    void wrongSettingsFailTheTest() throws IOException {
        List<String> said = failures(run(Wrong.class));
        assertEquals(2, said.size());
        assertTrue(said.stream().anyMatch(text -> text.contains("nothing")), said.toString());
        assertTrue(said.stream().anyMatch(text -> text.contains("format = \"svg\"")), said.toString());
        assertTrue(failures(run(WrongClass.class)).get(0).contains("one.html"));
        assertTrue(files().isEmpty());
    }

    static class Budgets {
        private static Object kept;
        private static int begun;
        private int runs;

        @BeforeEach
        void begin() {
            begun++;
        }

        @AfterEach
        void end() {
            assertTrue(runs > 1000, "on one instance");
        }

        @Test
        @AllocatesAtMost("0")
        void allocatesNothing() {
            runs++;
        }

        @ParameterizedTest
        @ValueSource(ints = {100, 1000})
        @AllocatesAtMost(value = "0.5k", name = "array")
        void isMeasuredByArgument(int length) {
            runs++;
            kept = new byte[length];
        }
    }

    @Test
    void budgetsAreOfTheTestMethodAlone() {
        Budgets.begun = 0;
        Events tests = run(Budgets.class);
        tests.assertStatistics(counts -> counts.succeeded(2).failed(1));
        assertEquals(3, Budgets.begun);
        String said = failures(tests).get(0);
        assertTrue(said.startsWith("array[2] allocates more than its budget"), said);
        assertTrue(said.contains("1,016 measured, 512 allowed"), said);
        assertFalse(said.contains("RepeatedMethod"), said); // no part of the measured code
    }

    static class WrongBudgets {
        @Test
        @AllocatesAtMost
        void hasNoLimit() {}

        @Test
        @AllocatesAtMost("few")
        void hasNoAmount() {}

        @Test
        @AllocatesAtMost("1k")
        void throwsItsOwn() throws IOException {
            throw new IOException("of the test");
        }
    }

    @Test
    void otherFailuresArePassedOn() {
        List<String> said = failures(run(WrongBudgets.class));
        assertEquals(3, said.size());
        assertTrue(said.contains("of the test"), said.toString());
        assertTrue(said.stream().anyMatch(text -> text.contains("has no limit")), said.toString());
        assertTrue(said.stream().anyMatch(text -> text.contains("\"few\" is not an amount")), said.toString());
    }
}
