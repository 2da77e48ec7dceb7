import com.sun.management.ThreadMXBean;
import hearth.Labels;
import java.lang.management.ManagementFactory;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.Future;
import java.util.concurrent.RecursiveTask;

/**
 * Works under labels. Prints "ready", then does the work that each line names, prints "NAME CPU-NANOSECONDS BYTES" of its parts by the
 * JVM's own counters of the thread, and "done"; an empty line ends it.
 */
public class Labelled {
    private static final ThreadMXBean COUNTER = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final long UNIT_NS = 10_000_000;
    private static final byte[][] kept = new byte[16][];
    private static volatile long sink;

    /** The CPU time and bytes of one part, added up. */
    private static class Part {
        final String name;
        long cpu, bytes;

        Part(String name) {
            this.name = name;
        }

        void measure(Runnable work) {
            long cpuBefore = COUNTER.getCurrentThreadCpuTime(), bytesBefore = bytes();
            work.run();
            add(COUNTER.getCurrentThreadCpuTime() - cpuBefore, bytes() - bytesBefore);
        }

        private synchronized void add(long moreCpu, long moreBytes) {
            cpu += moreCpu;
            bytes += moreBytes;
        }

        void print() {
            System.out.println(name + " " + cpu + " " + bytes);
        }

        private static long bytes() {
            return COUNTER.getThreadAllocatedBytes(Thread.currentThread().getId());
        }
    }

    private static void compute(int units) {
        long end = COUNTER.getCurrentThreadCpuTime() + units * UNIT_NS;
        while (COUNTER.getCurrentThreadCpuTime() < end) spin(10_000);
    }

    private static void spin(int turns) {
        long value = sink;
        for (int i = 1; i < turns; i++) value = value * 31 + value / i;
        sink = value;
    }

    private static void allocate(int megabytes) {
        for (int i = 0; i < megabytes << 10; i++) kept[i % kept.length] = new byte[1008];
    }

    private static void serve(Part part, String endpoint, int units, int megabytes) {
        part.measure(() -> Labels.of("endpoint", endpoint).run(() -> {
            compute(units);
            allocate(megabytes);
        }));
    }

    /** Two endpoints alternately: three times the CPU time, and half as many bytes again. */
    private static void endpoints() {
        Part dear = new Part("/dear"), cheap = new Part("/cheap"), none = new Part("none");
        for (int i = 0; i < 150; i++) {
            serve(dear, "/dear", 3, 15);
            serve(cheap, "/cheap", 1, 10);
            none.measure(() -> compute(1));
        }
        dear.print();
        cheap.print();
        none.print();
    }

    private static void nested() {
        Part x = new Part("x"), y = new Part("y");
        try (Labels.Scope outer = Labels.of("endpoint", "/nested", "tenant", "x").open()) {
            for (int i = 0; i < 10; i++) {
                x.measure(() -> compute(20));
                try (Labels.Scope inner = Labels.of("tenant", "y").open()) {
                    y.measure(() -> compute(30));
                }
                x.measure(() -> compute(10));
            }
        }
        x.print();
        y.print();
    }

    /**
     * On a pool's only thread: by a wrapper, by a wrapped executor, by CompletableFuture; and as much without. First without labels: what
     * runs for the first time loads classes and links lambdas, outside of the measured work.
     */
    private static void executors() throws Exception {
        follow(new Part("rehearsal"), new Part("rehearsal"));
        Part followed = new Part("followed"), alone = new Part("alone");
        Runnable all = () -> follow(followed, alone);
        try (Labels.Scope scope = Labels.of("endpoint", "/pool").open()) {
            followed.measure(all);  // handing the work over is labelled as well
        }
        followed.print();
        alone.print();
    }

    private static void await(Future<?> work) {
        try {
            work.get();
        } catch (InterruptedException | ExecutionException failed) {
            throw new IllegalStateException(failed);
        }
    }

    private static void follow(Part followed, Part alone) {
        ExecutorService plain = Executors.newSingleThreadExecutor(), labelled = Labels.wrap(plain);
        ForkJoinPool pool = new ForkJoinPool(1);
        Runnable work = () -> followed.measure(() -> compute(5));
        for (int i = 0; i < 10; i++) {
            await(plain.submit(Labels.wrap(work)));
            await(labelled.submit(work));
            await(CompletableFuture.runAsync(work, Labels.wrap(pool)).thenRunAsync(work, labelled));
            await(plain.submit(() -> alone.measure(() -> compute(5))));
        }
        plain.shutdown();
        pool.shutdown();
    }

    /** Halves itself down to one unit; one half goes to any free thread of the pool. */
    private static class Halves extends RecursiveTask<Integer> {
        final Part part;
        final int units;

        Halves(Part part, int units) {
            this.part = part;
            this.units = units;
        }

        @Override
        protected Integer compute() {
            if (units == 1) {
                part.measure(() -> Labelled.compute(1));
                return 1;
            }
            ForkJoinTask<Integer> other = Labels.wrap(new Halves(part, units / 2)).fork();
            return new Halves(part, units - units / 2).compute() + other.join();
        }
    }

    private static void forks() throws Exception {
        ForkJoinPool pool = new ForkJoinPool(3);
        pool.submit(Labels.wrap(new Halves(new Part("rehearsal"), 64))).get();
        Part forked = new Part("forked");
        Callable<Integer> all = () -> pool.submit(Labels.wrap(new Halves(forked, 64))).get();
        int units = Labels.of("endpoint", "/forked").call(all);
        if (units != 64) throw new IllegalStateException(units + " units");
        pool.shutdown();
        forked.print();
    }

    private static void sleep() {
        Labels.of("endpoint", "/sleep").run(Labelled::sleepTwoSeconds);
        sleepTwoSeconds();
    }

    private static void sleepTwoSeconds() {
        sleep(2000);
    }

    /** Under two labels alternately, from one place; the time of each. */
    private static void sleepByTurns() {
        long[] slept = new long[2];
        for (int i = 0; i < 40; i++) {
            int turn = i % 2;
            long began = System.nanoTime();
            Labels.of("turn", "t" + turn).run(() -> sleep(turn == 0 ? 20 : 80));
            slept[turn] += System.nanoTime() - began;
        }
        for (int turn = 0; turn < 2; turn++) System.out.println("t" + turn + " " + slept[turn]);
    }

    /** As a server does that labels every request, also while an agent attaches. */
    private static void labelForEver() {
        Labels idle = Labels.of("always", "on");
        for (;;) idle.run(() -> sleep(1));
    }

    private static void sleep(long ms) {
        try {
            Thread.sleep(ms);
        } catch (InterruptedException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static final Object[] retained = new Object[1024];

    private static void retain() {
        Labels.of("endpoint", "/kept").run(() -> {
            for (int i = 0; i < retained.length; i++) retained[i] = new byte[64 << 10];
        });
    }

    private static void wait(Object lock) {
        synchronized (lock) {
            sink++;
        }
    }

    /** A thread waits for half a second for a lock, under a label that it had before the wait. */
    private static void contend() throws Exception {
        Object lock = new Object();
        Thread waiter = new Thread(() -> Labels.of("endpoint", "/locked").run(() -> wait(lock)), "waiter");
        synchronized (lock) {
            waiter.start();
            while (waiter.getState() != Thread.State.BLOCKED) Thread.sleep(1);
            Thread.sleep(500);
        }
        waiter.join();
    }

    private static void many() {
        for (int i = 0; i < 3000; i++) {
            String value = "/" + i;
            Labels.of("route", value).run(() -> sink++);
        }
        Part over = new Part("over");
        over.measure(() -> Labels.of("route", "/one-more").run(() -> compute(20)));
        over.print();
    }

    /** Virtual threads, which work by turns on the same carriers, under labels of their own in underN, without in bare. */
    private static void virtual() throws Exception {
        Thread[] threads = new Thread[4];
        for (int i = 0; i < threads.length; i++) {
            int number = i;
            Runnable work = () -> {
                for (int turn = 0; turn < 100; turn++) {
                    Labels.of("virtual", "v" + number).run(() -> under(number));
                    bare();
                }
            };
            threads[i] = (Thread) Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, work);
        }
        for (Thread thread : threads) thread.join();
    }

    private static void under(int number) {
        switch (number) {
            case 0: under0(); break;
            case 1: under1(); break;
            case 2: under2(); break;
            default: under3();
        }
    }

    private static void under0() { spinAndYield(); }
    private static void under1() { spinAndYield(); }
    private static void under2() { spinAndYield(); }
    private static void under3() { spinAndYield(); }
    private static void bare() { spinAndYield(); }

    private static void spinAndYield() {
        spin(500_000);
        Thread.yield();
        spin(500_000);
    }

    private static void does(String what) throws Exception {
        switch (what) {
            case "endpoints": endpoints(); break;
            case "nested": nested(); break;
            case "executors": executors(); break;
            case "forks": forks(); break;
            case "sleep": sleep(); break;
            case "turns": sleepByTurns(); break;
            case "retain": retain(); break;
            case "contend": contend(); break;
            case "many": many(); break;
            case "virtual": virtual(); break;
            default: throw new IllegalArgumentException(what);
        }
    }

    public static void main(String[] args) throws Exception {
        Thread always = new Thread(Labelled::labelForEver, "always");
        always.setDaemon(true);
        always.start();
        serve(new Part("warm"), "/dear", 20, 100);
        System.out.println("ready");
        java.io.BufferedReader lines = new java.io.BufferedReader(new java.io.InputStreamReader(System.in));
        for (String line = lines.readLine(); line != null && !line.isEmpty(); line = lines.readLine()) {
            does(line);
            System.out.println("done");
        }
    }
}
