import hearth.OpenTelemetryLabels;
import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.ContextStorage;
import io.opentelemetry.context.ContextStorageProvider;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Works in spans of OpenTelemetry's SDK. Prints "ready", then does the work that each line names, prints "NAME=TRACE:SPAN CPU-NANOSECONDS" of
 * its spans by the threads' own clocks, and "done"; an empty line ends it.
 */
public class Traced {
    private static final ThreadMXBean CLOCK = ManagementFactory.getThreadMXBean();
    private static final long UNIT_NS = 10_000_000;
    private static Tracer tracer;
    private static volatile long sink;

    /** A span, and the CPU time that threads spent in it. */
    private static class Part {
        final String name;
        final Span span;
        private long cpu;
        private long began;

        Part(String name) {
            this.name = name;
            span = tracer.spanBuilder(name).startSpan();
        }

        void work(int units) {
            try (Scope scope = span.makeCurrent()) {
                measure(units);
            }
        }

        void measure(int units) {
            long before = CLOCK.getCurrentThreadCpuTime();
            compute(units);
            add(CLOCK.getCurrentThreadCpuTime() - before);
        }

        /** What the thread does until ends() is this span's. Of one thread at a time. */
        void begins() {
            began = CLOCK.getCurrentThreadCpuTime();
        }

        void ends() {
            add(CLOCK.getCurrentThreadCpuTime() - began);
        }

        private synchronized void add(long more) {
            cpu += more;
        }

        void end() {
            span.end();
            SpanContext ids = span.getSpanContext();
            System.out.println(name + "=" + ids.getTraceId() + ":" + ids.getSpanId() + " " + cpu);
        }
    }

    private static void compute(int units) {
        long end = CLOCK.getCurrentThreadCpuTime() + units * UNIT_NS;
        while (CLOCK.getCurrentThreadCpuTime() < end) spin(10_000);
    }

    private static void spin(int turns) {
        long value = sink;
        for (int i = 1; i < turns; i++) value = value * 31 + value / i;
        sink = value;
    }

    /** Two traces by turns on two threads each, three times as dear the one; inside of the dear one a child, and a pool's thread. */
    private static void spans(int turns) throws Exception {
        Part dear = new Part("dear"), cheap = new Part("cheap"), child;
        try (Scope scope = dear.span.makeCurrent()) {
            child = new Part("child");
        }
        ExecutorService pool = Context.taskWrapping(Executors.newSingleThreadExecutor());
        Thread[] threads = new Thread[2];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = new Thread(() -> {
                for (int turn = 0; turn < turns; turn++) {
                    try (Scope scope = dear.span.makeCurrent()) {
                        dear.measure(2);
                        child.work(1);
                        dear.measure(1);
                    }
                    compute(1);
                    cheap.work(1);
                }
            }, "spans-" + i);
            threads[i].start();
        }
        for (Thread thread : threads) thread.join();
        try (Scope scope = dear.span.makeCurrent()) {
            for (int turn = 0; turn < 10; turn++) pool.submit(() -> dear.measure(2)).get();
        }
        for (int turn = 0; turn < 10; turn++) pool.submit(() -> cheap.work(1)).get();
        pool.shutdown();
        for (Part part : new Part[] {dear, cheap, child}) part.end();
    }

    /**
     * Scopes that are closed twice, out of their order and by another thread. OpenTelemetry passes over that. Its first log record
     * of it and the first link of a lambda take some milliseconds each, which are the current span's.
     */
    private static void disorder() throws Exception {
        Part outer = new Part("outer"), inner = new Part("inner");
        Scope first = outer.span.makeCurrent(), second = inner.span.makeCurrent();
        inner.begins();
        first.close();
        compute(20);
        Thread other = new Thread(second::close);
        other.start();
        other.join();
        compute(20);
        second.close();
        inner.ends();
        outer.begins();
        second.close();
        compute(20);
        first.close();
        outer.ends();
        compute(10);
        outer.end();
        inner.end();
    }

    // Answers each call so; an exception: throws it.
    private static <T> T answering(Class<T> type, Object answer) {
        return type.cast(Proxy.newProxyInstance(Traced.class.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> {
            if (answer instanceof RuntimeException) throw (RuntimeException) answer;
            return answer;
        }));
    }

    /** Inside of a span, contexts that throw, with null for the ids of their span. */
    private static void hostile() {
        Part outer = new Part("outer");
        Span nameless = answering(Span.class, answering(SpanContext.class, null));
        // Made before the span is current: to generate their classes takes up to 20 ms.
        List<Context> contexts = new ArrayList<>();
        for (Object answer : new Object[] {new IllegalStateException("hostile"), nameless}) contexts.add(answering(Context.class, answer));
        try (Scope scope = outer.span.makeCurrent()) {
            for (Context context : contexts) {
                outer.measure(20);
                try (Scope other = ContextStorage.get().attach(context)) {
                    compute(20);
                }
            }
            outer.measure(20);
        }
        outer.end();
    }

    /** The time of two waits from one place. */
    private static void sleep() throws Exception {
        for (String name : new String[] {"first", "second"}) {
            Part part = new Part(name);
            try (Scope scope = part.span.makeCurrent()) {
                long began = System.nanoTime();
                Thread.sleep(3000); // a visit that a busy machine makes late is a small part
                part.add(System.nanoTime() - began);
            }
            part.end();
        }
    }

    private static final Object[] retained = new Object[256];

    /** 16 MB that stay. */
    private static void retain() {
        Part part = new Part("kept");
        // A thread's first sample after the interval changed is still at the old one: many times that.
        for (int i = 0; i < 128; i++) retained[0] = new byte[64 << 10];
        try (Scope scope = part.span.makeCurrent()) {
            for (int i = 0; i < retained.length; i++) retained[i] = new byte[64 << 10];
        }
        part.end();
    }

    /** Virtual threads, which work by turns on the same carriers, in spans of their own in underN, without in bare. */
    private static void virtual() throws Exception {
        Thread[] threads = new Thread[3];
        for (int i = 0; i < threads.length; i++) {
            int number = i;
            Part part = new Part("under" + i);
            Runnable work = () -> {
                for (int turn = 0; turn < 60; turn++) {
                    try (Scope scope = part.span.makeCurrent()) {
                        under(number);
                    }
                    bare();
                }
            };
            threads[i] = (Thread) Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, work);
            part.end();
        }
        for (Thread thread : threads) thread.join();
    }

    private static void under(int number) {
        switch (number) {
            case 0: under0(); break;
            case 1: under1(); break;
            default: under2();
        }
    }

    private static void under0() { spinAndYield(); }
    private static void under1() { spinAndYield(); }
    private static void under2() { spinAndYield(); }
    private static void bare() { spinAndYield(); }

    private static void spinAndYield() {
        spin(500_000);
        Thread.yield();
        spin(500_000);
    }

    private static volatile byte[] kept;
    private static int spans;

    /** So many others each time, with one object each. */
    private static void many() {
        for (int i = 1; i <= 100_000; i++) {
            String id = Long.toHexString(1L << 60 | ++spans);
            SpanContext ids = SpanContext.create(id + id, id, TraceFlags.getSampled(), TraceState.getDefault());
            try (Scope scope = Span.wrap(ids).makeCurrent()) {
                kept = new byte[100];
            }
        }
    }

    /** As frameworks with an event loop bring one; used where META-INF/services names it. */
    public static class Foreign implements ContextStorageProvider {
        @Override
        public ContextStorage get() {
            return new ContextStorage() {
                @Override
                public Scope attach(Context context) {
                    return ContextStorage.defaultStorage().attach(context);
                }

                @Override
                public Context current() {
                    return ContextStorage.defaultStorage().current();
                }
            };
        }
    }

    private static boolean isWrapped; // by a wrapper that was added after hearth's

    private static void install() {
        try {
            OpenTelemetryLabels.install();
            OpenTelemetryLabels.install();
            ContextStorage.addWrapper(storage -> {
                isWrapped = true;
                return storage;
            });
        } catch (IllegalStateException refused) {
            System.out.println("refused " + refused.getMessage());
            throw refused;
        }
    }

    private static void does(String what) throws Exception {
        switch (what) {
            case "spans": spans(25); break;
            case "disorder": disorder(); break;
            case "hostile": hostile(); break;
            case "sleep": sleep(); break;
            case "retain": retain(); break;
            case "virtual": virtual(); break;
            case "many": many(); break;
            default: throw new IllegalArgumentException(what);
        }
    }

    /** "late": OpenTelemetry's context has been used before; "agent": somebody else makes the spans and announces them. */
    public static void main(String[] args) throws Exception {
        String how = args.length > 0 ? args[0] : "";
        if (how.equals("late")) Context.current();
        if (how.equals("agent")) {
            tracer = GlobalOpenTelemetry.getTracer("traced");
        } else {
            install();
            tracer = SdkTracerProvider.builder().build().get("traced");
        }
        if (how.isEmpty() && (Context.current() == null || !isWrapped)) throw new AssertionError("other wrappers are kept out");
        spans(1); // classes are loaded
        System.out.println("ready");
        java.io.BufferedReader lines = new java.io.BufferedReader(new java.io.InputStreamReader(System.in));
        for (String line = lines.readLine(); line != null && !line.isEmpty(); line = lines.readLine()) {
            does(line);
            System.out.println("done");
        }
    }
}
