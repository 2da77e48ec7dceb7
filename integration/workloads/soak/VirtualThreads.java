import java.lang.reflect.Method;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** Virtual threads that park, sleep, yield and are pinned by a monitor; by reflection, for JDKs that have none. */
final class VirtualThreads implements Soak.Activity {
    private static final int AT_ONCE = 200;
    private static final Method START = start();
    private final Object monitor = new Object();
    private final AtomicInteger ended = new AtomicInteger();

    private static Method start() {
        try {
            return Thread.class.getMethod("startVirtualThread", Runnable.class);
        } catch (NoSuchMethodException none) {
            return null;
        }
    }

    static boolean exist() {
        return START != null;
    }

    private void nested(int depth) throws InterruptedException {
        if (depth > 0) {
            nested(depth - 1);
            return;
        }
        Exceptions.work(5_000);
        LockSupport.parkNanos(100_000);
        Exceptions.work(5_000);
        Thread.yield();
        synchronized (monitor) {
            Exceptions.work(1_000);
        }
        Thread.sleep(1);
        ended.incrementAndGet();
    }

    @Override
    public void round() throws Exception {
        ended.set(0);
        CountDownLatch latch = new CountDownLatch(AT_ONCE);
        for (int i = 0; i < AT_ONCE; i++) {
            int depth = i % 50;
            START.invoke(null, (Runnable) () -> {
                try {
                    nested(depth);
                } catch (InterruptedException never) {
                    throw new IllegalStateException(never);
                } finally {
                    latch.countDown();
                }
            });
        }
        latch.await();
        Soak.check(ended.get() == AT_ONCE, "every virtual thread ended well");
    }
}
