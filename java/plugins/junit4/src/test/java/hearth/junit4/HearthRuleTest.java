package hearth.junit4;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.rules.MethodRule;
import org.junit.rules.TemporaryFolder;
import org.junit.runner.JUnitCore;
import org.junit.runner.Result;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;

class HearthRuleTest {
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

    private static List<String> failures(Result result) {
        return result.getFailures().stream().map(failure -> String.valueOf(failure.getMessage())).collect(Collectors.toList());
    }

    private List<String> files() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).sorted().collect(Collectors.toList());
        }
    }

    private static void expectOne(List<String> texts, String part) {
        assertTrue(texts.stream().anyMatch(text -> text.contains(part)), part + " in " + texts);
    }

    public static class OfMethods {
        @Rule
        public final HearthRule hearth = new HearthRule();

        @org.junit.Test
        @Profiled(interval = "1ms", format = "collapsed")
        public void isProfiled() {
            long sum = 0;
            for (long end = System.nanoTime() + 300_000_000; System.nanoTime() < end;) sum += sum % 7 + 1;
            assertTrue(sum != 0);
        }

        @org.junit.Test
        @Profiled(format = "flat")
        public void fails() {
            throw new AssertionError("on purpose");
        }

        @org.junit.Test
        public void isNotProfiled() {}

        @org.junit.Test
        @Profiled(event = "nothing")
        public void hasNoSuchEvent() {}
    }

    @Test
    void profilesAnnotatedMethods() throws IOException {
        Result result = JUnitCore.runClasses(OfMethods.class);
        List<String> said = failures(result);
        assertEquals(2, said.size(), said.toString());
        expectOne(said, "on purpose");
        expectOne(said, "nothing");
        String name = OfMethods.class.getName();
        assertEquals(Arrays.asList(name + ".fails.txt", name + ".isProfiled.collapsed"), files());
        String stacks = new String(Files.readAllBytes(folder.resolve(name + ".isProfiled.collapsed")), StandardCharsets.UTF_8);
        assertTrue(stacks.contains("OfMethods.isProfiled"), stacks);
    }

    @RunWith(Parameterized.class)
    @Profiled(format = "flat")
    public static class OfParameters {
        @Rule
        public final HearthRule hearth = new HearthRule();

        private final int number;

        public OfParameters(int number) {
            this.number = number;
        }

        @Parameterized.Parameters
        public static List<Integer> numbers() {
            return Arrays.asList(1, 2);
        }

        @org.junit.Test
        public void isProfiledEachTime() {
            assertTrue(number > 0);
        }
    }

    @Test
    void profilesEachRunOfATest() throws IOException {
        assertTrue(JUnitCore.runClasses(OfParameters.class).wasSuccessful());
        String name = OfParameters.class.getName();
        assertEquals(Arrays.asList(name + ".isProfiledEachTime-1.txt", name + ".isProfiledEachTime-2.txt"), files());
    }

    public static class Budgets {
        private static Object kept;
        private static int begun;
        private static int ended;

        @Rule
        public final TemporaryFolder folder = new TemporaryFolder();

        @Rule
        public final HearthRule hearth = new HearthRule();

        private int runs;

        @Before
        public void begin() {
            begun++;
        }

        @After
        public void end() {
            ended++;
            assertTrue(runs > 1000 && folder.getRoot().exists());
        }

        @org.junit.Test
        @AllocatesAtMost("0")
        public void allocatesNothing() {
            runs++;
        }

        @org.junit.Test
        @AllocatesAtMost(value = "0.5k", name = "array")
        public void allocatesMore() {
            runs++;
            kept = new byte[1000];
        }
    }

    @Test
    void budgetsAreOfTheTestMethodAlone() {
        Budgets.begun = Budgets.ended = 0;
        List<String> said = failures(JUnitCore.runClasses(Budgets.class));
        assertEquals(1, said.size(), said.toString());
        assertTrue(said.get(0).startsWith("array allocates more than its budget"), said.toString());
        expectOne(said, "1,016 measured, 512 allowed");
        assertEquals(2, Budgets.begun);
        assertEquals(2, Budgets.ended);
    }

    public static class Refused {
        @Rule
        public final HearthRule hearth = new HearthRule();

        @org.junit.Test(timeout = 1000)
        @AllocatesAtMost("0")
        public void hasATimeout() {}

        @org.junit.Test(expected = IOException.class)
        @AllocatesAtMost("0")
        public void expectsAnException() throws IOException {
            throw new IOException();
        }

        @org.junit.Test
        @AllocatesAtMost("1k")
        public void throwsItsOwn() throws IOException {
            throw new IOException("of the test");
        }
    }

    public static class BetweenRules {
        @Rule(order = Integer.MAX_VALUE)
        public final MethodRule other = (base, method, test) -> new org.junit.runners.model.Statement() {
            @Override
            public void evaluate() throws Throwable {
                base.evaluate();
            }
        };

        @Rule
        public final HearthRule hearth = new HearthRule();

        @org.junit.Test
        @AllocatesAtMost("0")
        public void isInsideOfAnother() {}
    }

    @Test
    void refusesWhatItWouldLeaveOut() {
        List<String> said = failures(JUnitCore.runClasses(Refused.class));
        assertEquals(3, said.size(), said.toString());
        assertEquals(2, said.stream().filter(text -> text.contains("expected or timeout")).count(), said.toString());
        assertTrue(said.contains("of the test"), said.toString());
        said = failures(JUnitCore.runClasses(BetweenRules.class));
        assertEquals(1, said.size(), said.toString());
        expectOne(said, "is between HearthRule and the test");
    }
}
