package hearth;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.RecursiveTask;
import org.junit.After;
import org.junit.FixMethodOrder;
import org.junit.Test;
import org.junit.runners.MethodSorters;

@FixMethodOrder(MethodSorters.NAME_ASCENDING) // the last one leaves no space for more label sets
public class LabelsTest {
    private final ExecutorService pool = Executors.newSingleThreadExecutor();

    @After
    public void endPool() {
        pool.shutdownNow();
    }

    private static Map<String, String> now() {
        return Labels.current().asMap();
    }

    private static Map<String, String> map(String... pairs) {
        Map<String, String> map = new TreeMap<>();
        for (int i = 0; i < pairs.length; i += 2) map.put(pairs[i], pairs[i + 1]);
        return map;
    }

    @Test
    public void areThoseOfTheThreadMeanwhile() throws Exception {
        assertEquals(map(), now());
        Labels.of("endpoint", "/a").run(() -> assertEquals(map("endpoint", "/a"), now()));
        assertEquals("done", Labels.of("endpoint", "/a", "tenant", "x").call(() -> {
            assertEquals(map("endpoint", "/a", "tenant", "x"), now());
            return "done";
        }));
        assertEquals(map(), now());
    }

    @Test
    public void areAddedToOthersAndTakeTheirPlace() {
        try (Labels.Scope outer = Labels.of("endpoint", "/a", "tenant", "x").open()) {
            try (Labels.Scope inner = Labels.of("tenant", "y").and("step", "1").open()) {
                assertEquals(map("endpoint", "/a", "step", "1", "tenant", "y"), now());
            }
            assertEquals(map("endpoint", "/a", "tenant", "x"), now());
            Labels.none().run(() -> assertEquals(map("endpoint", "/a", "tenant", "x"), now()));
        }
        assertEquals(map(), now());
    }

    @Test
    public void areResetWhateverIsThrown() {
        assertThrows(IllegalStateException.class, () -> Labels.of("k", "v").run(() -> { throw new IllegalStateException(); }));
        assertThrows(Exception.class, () -> Labels.of("k", "v").call(() -> { throw new Exception(); }));
        assertEquals(map(), now());
    }

    @Test
    public void followWork() throws Exception {
        Runnable[] wrapped = new Runnable[1];
        Callable<Map<String, String>> seen = LabelsTest::now;
        ExecutorService labelled = Labels.wrap(pool);
        assertSame(labelled, Labels.wrap(labelled));
        try (Labels.Scope scope = Labels.of("endpoint", "/a").open()) {
            Map<String, String> mine = now();
            wrapped[0] = Labels.wrap((Runnable) () -> assertEquals(mine, now()));
            assertEquals(mine, pool.submit(Labels.wrap(seen)).get());
            assertEquals(map(), pool.submit(seen).get());
            assertEquals(mine, labelled.submit(seen).get());
            assertEquals(mine, labelled.invokeAll(Collections.singleton(seen)).get(0).get());
            assertEquals(mine, labelled.invokeAny(Collections.singleton(seen)));
            assertEquals(mine, CompletableFuture.supplyAsync(LabelsTest::now, labelled).get());
            assertEquals(mine, CompletableFuture.supplyAsync(LabelsTest::now, Labels.wrap((Executor) pool)).get());
        }
        pool.submit(wrapped[0]).get();
        assertEquals(map(), pool.submit(seen).get());
    }

    // The labels of the submitter, also where the thread has labels of its own, or the submitter has none.
    @Test
    public void followAlone() throws Exception {
        Callable<Map<String, String>> wrapped = Labels.wrap(LabelsTest::now);
        assertEquals(map(), Labels.of("k", "v").call(wrapped));
    }

    @Test
    public void followWhatIsForked() throws Exception {
        class Asks extends RecursiveTask<Map<String, String>> {
            @Override
            protected Map<String, String> compute() {
                return now();
            }
        }
        ForkJoinPool forks = new ForkJoinPool(1);
        ForkJoinTask<Map<String, String>> wrapped = Labels.of("endpoint", "/a").call(() -> Labels.wrap(new Asks()));
        assertEquals(map("endpoint", "/a"), forks.submit(wrapped).get());
        assertEquals(map("endpoint", "/a"), wrapped.join());
        assertEquals(map(), forks.submit(new Asks()).get());
        ForkJoinTask<Object> broken = Labels.wrap(ForkJoinTask.adapt(() -> { throw new IllegalStateException("as it is told"); }));
        assertThrows(RuntimeException.class, () -> forks.invoke(broken));
        forks.shutdown();
    }

    @Test
    public void refuseWhatProfilesHaveAnyway() {
        for (String key : Arrays.asList("thread", "tid", "state", "bytes", "wait", "age", "time", "run")) {
            assertTrue(assertThrows(IllegalArgumentException.class, () -> Labels.of(key, "v")).getMessage().contains("is reserved"));
        }
        for (String key : Arrays.asList("", "a=b", "a:b", "a b", "(other)")) {
            assertTrue(assertThrows(IllegalArgumentException.class, () -> Labels.of(key, "v")).getMessage().contains("is not a label key"));
        }
        assertThrows(IllegalArgumentException.class, () -> Labels.of(null, "v"));
        assertThrows(IllegalArgumentException.class, () -> Labels.of("k", "v", "l"));
        Labels.of("app.http/route-1", "v");
    }

    @Test
    public void aValueThatIsNotKnownIsNoLabel() {
        assertSame(Labels.none(), Labels.of("k", null));
        assertEquals(map("l", "v"), Labels.of("k", null, "l", "v").asMap());
    }

    @Test
    public void scopesThatAreClosedTwiceOrElsewhereChangeNothing() throws Exception {
        Labels.Scope outer = Labels.of("endpoint", "/a").open();
        Labels.Scope inner = Labels.of("tenant", "x").open();
        pool.submit(inner::close).get();
        assertEquals(map("endpoint", "/a", "tenant", "x"), now());
        inner.close();
        outer.close();
        inner.close();
        assertEquals(map(), now());
    }

    @Test
    public void whatIsLeftOpenInsideEndsWithWhatWraps() throws Exception {
        Callable<Map<String, String>> seen = LabelsTest::now;
        Runnable leaves = Labels.of("endpoint", "/a").call(() -> Labels.wrap((Runnable) () -> Labels.of("tenant", "x").open()));
        pool.submit(leaves).get();
        assertEquals(map(), pool.submit(seen).get());
        Labels.of("endpoint", "/a").run(() -> Labels.of("tenant", "x").open());
        assertEquals(map(), now());
    }

    // The thread that ends the first stage gives the second one.
    @Test
    public void anExecutorHasThoseItWasMadeWith() throws Exception {
        CompletableFuture<String> answer = new CompletableFuture<>();
        CompletableFuture<Map<String, String>> seen =
            Labels.of("endpoint", "/asks").call(() -> answer.thenApplyAsync(any -> now(), Labels.current().executor(pool)));
        Labels.of("endpoint", "/answers").run(() -> answer.complete("yes"));
        assertEquals(map("endpoint", "/asks"), seen.get());
    }

    @Test
    public void aThreadWithoutLabelsHoldsNothingOfTheApplication() throws Exception {
        Labels.of("k", "v").run(() -> { });
        for (Object kept : ThreadLabels.here()) assertTrue(kept == null || kept.getClass().getClassLoader() == null);
    }

    // Values that are too long to be kept, inside of others.
    @Test
    public void doNotUseUpWhatIsRemembered() {
        char[] many = new char[300];
        Arrays.fill(many, 'x');
        for (int i = 0; i < 30_000; i++) {
            Labels sql = Labels.of("sql", i + new String(many));
            Labels.of("endpoint", "/a").run(() -> sql.and("tenant", "t").run(() -> { }));
        }
        assertSame(Labels.of("new", "1"), Labels.of("new", "1"));
    }

    @Test
    public void ofOneKeyLeaveRoomForOthers() {
        for (int i = 0; i < 30_000; i++) Labels.of("order", "id " + i).run(() -> { });
        assertSame(Labels.of("newer", "1"), Labels.of("newer", "1"));
    }

    @Test
    public void keepWhatCanBeShown() {
        assertEquals("(empty)", Labels.of("k", "").asMap().get("k"));
        assertEquals("a?b", Labels.of("k", "a\0b").asMap().get("k"));
        char[] many = new char[1000];
        Arrays.fill(many, 'x');
        assertEquals(200, Labels.of("k", new String(many)).asMap().get("k").length());
    }

    @Test
    public void allocateNothingOnceKnown() {
        ThreadMXBean counter = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long thread = Thread.currentThread().getId();
        Runnable nothing = () -> { };
        long least = Long.MAX_VALUE;
        for (int round = 0; round < 20; round++) {
            long before = counter.getThreadAllocatedBytes(thread);
            for (int i = 0; i < 10_000; i++) {
                Labels.of("endpoint", "/a").run(nothing);
                try (Labels.Scope outer = Labels.of("endpoint", "/b").open(); Labels.Scope inner = Labels.of("tenant", "x").open()) {
                    nothing.run();
                }
            }
            least = Math.min(least, counter.getThreadAllocatedBytes(thread) - before);
        }
        assertTrue("bytes: " + least, least < 10_000);
    }

    @Test
    public void takeNoMoreMemoryThanFor20000() {
        for (int i = 0; i < 100_000; i++) {
            String value = Integer.toString(i);
            Labels.of("id", value).run(() -> assertEquals(value, now().get("id")));
        }
        assertSame(Labels.of("id", "1"), Labels.of("id", "1"));
    }
}
