import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What programs wait for without need. Each line of input but "end" is the name of a cause, which begins then; "ready" when its threads run. There is no
 * way back: each cause has a JVM of its own.
 */
public class WaitCauses {
    static volatile double sum;

    static void compute(int milliseconds) {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(milliseconds);
        while (System.nanoTime() < end) sum += Math.sqrt(sum + 1);
    }

    static void sleep(int milliseconds) { LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(milliseconds)); }

    // A convoy: the lock that all need is held while its owner waits for something else.
    static final ReentrantLock bridge = new ReentrantLock();
    static void cross() { LockSupport.parkNanos(5_000_000); }
    static void queueUp() {
        bridge.lock();
        try { cross(); } finally { bridge.unlock(); }
    }
    static void convoy() { for (int i = 0; i < 8; i++) Repeating.start("car-" + i, WaitCauses::queueUp); }

    // Inversion: an urgent thread waits for one that gets too little of the processors.
    static final Object ledger = new Object();
    static void writeLedger() {
        for (int i = 0; i < 5_000_000; i++) sum += Math.sqrt(sum + 1);
    }
    static void readLedger() { synchronized (ledger) { sum++; } }
    static void inversion() {
        Repeating.start("slow", () -> {
            synchronized (ledger) { writeLedger(); }
            sleep(1);
        });
        Repeating.start("urgent", () -> {
            readLedger();
            sleep(1);
        });
        for (int i = 0; i < 4 * Runtime.getRuntime().availableProcessors(); i++) Repeating.start("busy-" + i, () -> compute(50));
    }

    // Starvation: all threads of a pool wait for work that only they could do.
    static void awaitPart(Future<?> part) throws Exception { part.get(); }
    static void starvation() throws Exception {
        int threads = 2;
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        CountDownLatch begun = new CountDownLatch(threads);
        for (int i = 0; i < threads; i++) {
            pool.submit(() -> {
                begun.countDown();
                begun.await();
                awaitPart(pool.submit(() -> compute(1)));
                return null;
            });
        }
    }

    // A lost wake-up: nobody will open the latch that one thread waits at; another one waits and is woken.
    static void awaitLost() throws InterruptedException { new CountDownLatch(1).await(); }
    static volatile CountDownLatch opened = new CountDownLatch(1);
    static void awaitOpened() throws InterruptedException {
        opened.await();
        opened = new CountDownLatch(1);
    }
    static void lost() {
        Repeating.start("lost", WaitCauses::awaitLost);
        Repeating.start("opened", WaitCauses::awaitOpened);
        Repeating.start("opener", () -> {
            sleep(30);
            opened.countDown();
        });
    }

    // Pinning: a virtual thread keeps its carrier while it waits.
    static void sleepPinned() {
        try {
            Thread.sleep(60_000);
        } catch (InterruptedException e) { throw new IllegalStateException(e); }
    }
    static class Pins { static { sleepPinned(); } }
    static void pin() { new Pins(); }
    static void pinning() throws Exception {
        Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, (Runnable) WaitCauses::pin);
    }

    // A slow name server.
    static void findHost() throws Exception {
        try {
            InetAddress.getByName("shop-" + System.nanoTime() + ".example");
        } catch (java.net.UnknownHostException e) { sum++; }
    }
    static void names() { Repeating.start("resolver", WaitCauses::findHost); }

    // A storm of collections: the heap is nearly full, and each collection finds little.
    static final List<byte[]> kept = new ArrayList<>();
    static void allocate() {
        for (int i = 0; i < 1000; i++) kept.set((int) (Math.random() * kept.size()), new byte[1000]);
    }
    static void storm() {
        long most = Runtime.getRuntime().maxMemory();
        for (long bytes = 0; bytes < most * 7 / 10; bytes += 1024) kept.add(new byte[1000]);
        Repeating.start("allocator", WaitCauses::allocate);
        Repeating.start("victim", () -> compute(10));
    }

    // A full queue: what fills it waits for what empties it.
    static final ArrayBlockingQueue<String> orders = new ArrayBlockingQueue<>(10);
    static void takeOrder() throws InterruptedException {
        orders.take();
        sleep(10);
    }
    static void putOrder() throws InterruptedException { orders.put("order"); }
    static void full() {
        Repeating.start("customer", WaitCauses::putOrder);
        Repeating.start("waiter", WaitCauses::takeOrder);
    }

    public static void main(String[] arguments) throws Exception {
        Map<String, Repeating.Step> causes = new HashMap<>();
        causes.put("convoy", WaitCauses::convoy);
        causes.put("inversion", WaitCauses::inversion);
        causes.put("starvation", WaitCauses::starvation);
        causes.put("lost", WaitCauses::lost);
        causes.put("pinning", WaitCauses::pinning);
        causes.put("names", WaitCauses::names);
        causes.put("storm", WaitCauses::storm);
        causes.put("full", WaitCauses::full);
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
        for (String line = input.readLine(); !"end".equals(line); line = input.readLine()) {
            causes.get(line).run();
            System.out.println("ready");
        }
    }
}
