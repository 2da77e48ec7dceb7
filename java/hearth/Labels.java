package hearth;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Labels the work of a thread. Each sample taken of it meanwhile (CPU, wall clock, allocations, locks) has these
 * labels, by which profiles are filtered and grouped:
 *
 * <pre>{@code
 * Labels.of("endpoint", "/reports/{id}").run(() -> handle(request));
 * try (Labels.Scope scope = Labels.of("tenant", tenant).open()) {
 *     work();
 * }
 * }</pre>
 *
 * <p>Nested labels are added to the outer ones and replace those with the same key. Another thread that continues the
 * work gets them by {@code wrap}.
 *
 * <p>Without the agent nothing happens. If it is loaded later, labels that are set from then on are seen. Setting and
 * resetting known labels takes some nanoseconds and allocates nothing. The agent keeps the first 1,000 values of a key
 * and the first 8,000 combinations, and shows others as {@code (other)}: routes are good values, ids are not (trace ids
 * come by {@link OpenTelemetryLabels}).
 *
 * <p>A virtual thread (JDK 21 and newer) has its own labels, whichever thread carries it. On it, setting the first
 * labels and resetting the last ones takes about a microsecond. A virtual thread that ends without closing its scope
 * keeps one of 65,536 slots. All class loaders should share one copy of hearth.jar: two copies overwrite each other's
 * labels. Immutable and thread safe.
 */
public final class Labels {
    static final Labels NONE = new Labels(Collections.emptyMap(), true);

    private static final Set<String> OWN_KEYS =
        new HashSet<>(Arrays.asList("thread", "tid", "state", "bytes", "wait", "age", "time", "run"));
    private static final int LONGEST = 200;
    // Limit of remembered labels in all; others are created again each time, which takes some microseconds.
    private static final int MOST_KEPT = 20_000;
    // Limit per key, so that a key with ids as values does not use up the limit for all.
    private static final int MOST_OF_KEY = 5_000;
    private static final AtomicInteger KEPT = new AtomicInteger();
    private static final ConcurrentHashMap<String, AtomicInteger> KEPT_OF_KEY = new ConcurrentHashMap<>();

    private final Map<String, String> all;
    private final boolean isKept; // found again by a later call with the same key and value
    private final Scope alone;
    // These labels with one more, by its key and value.
    private final ConcurrentHashMap<String, ConcurrentHashMap<String, Labels>> extended = new ConcurrentHashMap<>();
    // These labels with others set inside of them.
    private final ConcurrentHashMap<Labels, Scope> inside = new ConcurrentHashMap<>();
    private int number = -1; // assigned by the agent; -1 until then
    private long[] attributes; // likewise; null until then

    private Labels(Map<String, String> all, boolean isKept) {
        this.all = all;
        this.isKept = isKept;
        this.alone = new Scope(this, NONE == null ? this : NONE);
    }

    /**
     * One label. Shown as {@code key} in {@code hearth report --by key} and {@code go tool pprof -tagfocus=key=value}.
     * A null value gives no label: an unknown property of a request must not break it.
     *
     * @throws IllegalArgumentException when the key is reserved by profiles ({@code thread}, {@code tid},
     *     {@code state}, {@code bytes}, {@code wait}, {@code age}, {@code time}, {@code run}), or is not made of letters, digits
     *     and {@code _ . - /} only
     */
    public static Labels of(String key, String value) {
        return NONE.and(key, value);
    }

    /** Several labels: {@code more} is key, value, key, value. If a key is repeated, the last value counts. */
    public static Labels of(String key, String value, String... more) {
        if (more.length % 2 != 0) throw new IllegalArgumentException("the last key, " + more[more.length - 1] + ", has no value");
        Labels labels = of(key, value);
        for (int i = 0; i < more.length; i += 2) labels = labels.and(more[i], more[i + 1]);
        return labels;
    }

    /** No labels, to which others can be added. */
    public static Labels none() {
        return NONE;
    }

    /** These labels and one more, which replaces one with the same key; these labels if the value is null. */
    public Labels and(String key, String value) {
        if (key == null) throw new IllegalArgumentException("a label needs a key: null, " + value);
        if (value == null) return this;
        ConcurrentHashMap<String, Labels> values = extended.get(key);
        Labels known = values == null ? null : values.get(value);
        return known != null ? known : extend(key, value);
    }

    /** Labels of the calling thread. */
    public static Labels current() {
        return ThreadLabels.labels(ThreadLabels.here());
    }

    /** Values by key. */
    public Map<String, String> asMap() {
        return all;
    }

    /** Runs the work under these labels. */
    public void run(Runnable work) {
        Object[] here = ThreadLabels.here();
        Labels outer = ThreadLabels.labels(here);
        long began = ThreadLabels.began();
        try {
            ThreadLabels.set(here, inside(outer).labels);
            work.run();
        } finally {
            ThreadLabels.set(here, outer);
            if (began != 0) ThreadLabels.ended(this, began);
        }
    }

    /** As run, for work that returns a value or throws. */
    public <T> T call(Callable<T> work) throws Exception {
        Object[] here = ThreadLabels.here();
        Labels outer = ThreadLabels.labels(here);
        long began = ThreadLabels.began();
        try {
            ThreadLabels.set(here, inside(outer).labels);
            return work.call();
        } finally {
            ThreadLabels.set(here, outer);
            if (began != 0) ThreadLabels.ended(this, began);
        }
    }

    /** Sets the labels until the scope is closed by the same thread; meant for a try statement. */
    public Scope open() {
        Object[] here = ThreadLabels.here();
        Scope scope = inside(ThreadLabels.labels(here)).timed();
        scope.begin(here);
        return scope;
    }

    /** As open, but hides the labels that the thread has: for work that came with labels of its own. */
    public Scope openAlone() {
        Object[] here = ThreadLabels.here();
        Labels before = ThreadLabels.labels(here);
        Scope scope = (before == NONE ? alone : new Scope(this, before)).timed();
        scope.begin(here);
        return scope;
    }

    /** A task with the labels that the calling thread has now, and no others, whichever thread runs it. */
    public static Runnable wrap(Runnable work) {
        return current().under(work);
    }

    Runnable under(Runnable work) {
        Objects.requireNonNull(work);
        return () -> {
            Scope scope = openAlone();
            try {
                work.run();
            } finally {
                scope.closeAll();
            }
        };
    }

    /** As above, for work that returns a value or throws. */
    public static <T> Callable<T> wrap(Callable<T> work) {
        Objects.requireNonNull(work);
        Labels labels = current();
        return () -> {
            Scope scope = labels.openAlone();
            try {
                return work.call();
            } finally {
                scope.closeAll();
            }
        };
    }

    /**
     * A task that runs the given one with the labels that the calling thread has now, when forked or submitted to a
     * pool: {@code left = Labels.wrap(new Sum(half)).fork()}. Join and cancel the returned task. A fork costs two more
     * small objects.
     */
    public static <T> ForkJoinTask<T> wrap(ForkJoinTask<T> task) {
        Objects.requireNonNull(task);
        return ForkJoinTask.adapt(wrap((Callable<T>) task::invoke));
    }

    /**
     * An executor that runs tasks with the labels of the submitting thread. This applies to {@code
     * CompletableFuture.supplyAsync} and {@code runAsync}. A dependent stage is submitted by the thread that completes
     * the stage before it: see {@link #executor}.
     */
    public static Executor wrap(Executor executor) {
        return work -> executor.execute(wrap(work));
    }

    /**
     * An executor that runs tasks under these labels and no others, whichever thread submits them: {@code
     * answer.thenApplyAsync(this::shape, Labels.current().executor(pool))} has those of the thread that calls it.
     */
    public Executor executor(Executor executor) {
        return work -> executor.execute(under(work));
    }

    /**
     * An executor service that runs tasks with the labels of the submitting thread. In a ForkJoinPool this applies to
     * submitted tasks only: wrap the tasks that they fork, too, which is impossible for parallel streams.
     */
    public static ExecutorService wrap(ExecutorService executor) {
        return executor instanceof LabelledExecutor ? executor : new LabelledExecutor(executor);
    }

    /**
     * Ends {@link Labels#open}: the thread gets back the labels that it had before. Closing does nothing on a thread
     * that has other labels than these, because scopes were closed twice, out of order or elsewhere.
     */
    public static final class Scope implements AutoCloseable {
        private final Labels labels;
        private final Labels outer;

        private final long began; // System.nanoTime(), 0: not timed

        private Scope(Labels labels, Labels outer) {
            this(labels, outer, 0);
        }

        private Scope(Labels labels, Labels outer, long began) {
            this.labels = labels;
            this.outer = outer;
            this.began = began;
        }

        private Scope timed() {
            long now = ThreadLabels.began();
            return now == 0 ? this : new Scope(labels, outer, now);
        }

        private void begin(Object[] here) {
            try {
                ThreadLabels.set(here, labels);
            } catch (Throwable error) { // no memory, or no stack left
                ThreadLabels.set(here, outer);
                throw error;
            }
        }

        @Override
        public void close() {
            Object[] here = ThreadLabels.here();
            if (ThreadLabels.labels(here) != labels) return;
            ThreadLabels.set(here, outer);
            if (began != 0) ThreadLabels.ended(labels, began);
        }

        /**
         * Closes the scope and all scopes that were opened inside of it and are still open; for {@code finally}, on the
         * thread that opened it.
         */
        public void closeAll() {
            ThreadLabels.set(ThreadLabels.here(), outer);
            if (began != 0) ThreadLabels.ended(labels, began);
        }
    }

    @Override
    public String toString() {
        return all.toString();
    }

    int number() {
        int known = number;
        return known >= 0 ? known : ask();
    }

    private int ask() {
        number = ThreadLabels.number(text());
        return number;
    }

    /** As in the records of threads; see ThreadRecord. */
    long[] attributes() {
        long[] known = attributes;
        return known != null ? known : (attributes = ThreadRecord.attributes(text()));
    }

    private byte[] text() {
        StringBuilder text = new StringBuilder();
        all.forEach((key, value) -> text.append(key).append('\0').append(value).append('\0'));
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    private Scope inside(Labels outer) {
        if (outer == NONE) return alone;
        Scope known = outer.inside.get(this);
        return known != null ? known : outer.enclose(this);
    }

    private Scope enclose(Labels inner) {
        Labels both = inner.isKept ? this : new Labels(all, false);
        for (Map.Entry<String, String> label : inner.all.entrySet()) both = both.and(label.getKey(), label.getValue());
        Scope scope = new Scope(both, this);
        String key = inner.all.isEmpty() ? "" : inner.all.keySet().iterator().next();
        boolean keeps = isKept && inner.isKept && both.isKept && mayKeep(key);
        return keeps ? earlier(inside.putIfAbsent(inner, scope), scope) : scope;
    }

    private Labels extend(String key, String value) {
        check(key);
        Map<String, String> more = new TreeMap<>(all);
        more.put(key, shown(value));
        boolean keeps = isKept && value.length() <= LONGEST && mayKeep(key);
        Labels labels = new Labels(Collections.unmodifiableMap(more), keeps);
        if (!keeps) return labels;
        return earlier(extended.computeIfAbsent(key, any -> new ConcurrentHashMap<>()).putIfAbsent(value, labels), labels);
    }

    private static boolean mayKeep(String key) {
        if (KEPT.get() >= MOST_KEPT) return false;
        AtomicInteger ofKey = KEPT_OF_KEY.computeIfAbsent(key, any -> new AtomicInteger());
        return ofKey.get() < MOST_OF_KEY && ofKey.incrementAndGet() <= MOST_OF_KEY && KEPT.incrementAndGet() <= MOST_KEPT;
    }

    private static <T> T earlier(T known, T made) {
        return known == null ? made : known;
    }

    private static void check(String key) {
        if (OWN_KEYS.contains(key)) {
            throw new IllegalArgumentException("the label key " + key + " is reserved; use another");
        }
        if (!key.matches("[\\p{L}\\p{N}_./-]+")) {
            throw new IllegalArgumentException("\"" + key + "\" is not a label key; use letters, digits and _ . - /");
        }
    }

    private static String shown(String value) {
        if (value.isEmpty()) return "(empty)"; // pprof ignores a label with empty text
        String text = value.length() > LONGEST ? value.substring(0, LONGEST - 1) + "…" : value;
        return text.replaceAll("\\p{Cntrl}", "?");
    }
}
