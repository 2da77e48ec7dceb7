import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;

/**
 * A heap full of small objects, and one object more in each of three places: deep in a linked list, in a map of maps, and in a local of a thread.
 * The argument: how many MB of small objects. Prints "full" when those are there, reads a line, prints "ready" when the three are there, and
 * ends with its input.
 */
public class HeldHeap {
    static final int SOUGHT_BYTES = 4_000_000, ENTRY_BYTES = 160, LINKS = 3_000, GARBAGE = 200;

    static class Entry {
        final Object[] fields = new Object[6];
        final String name;
        Entry(long number) {
            name = "entry " + number;
            fields[(int) (number % 6)] = number;
        }
    }

    static final Map<Long, Map<Long, Entry>> heap = new HashMap<>();
    static final List<Object> list = new LinkedList<>();
    static final Map<String, Map<String, Object>> caches = new HashMap<>();

    static Object inList() { return new byte[SOUGHT_BYTES]; }
    static Object inMap() { return new byte[SOUGHT_BYTES]; }
    static Object inLocal() { return new byte[SOUGHT_BYTES]; }

    static void fill(long bytes) {
        for (long number = 0; number < bytes / ENTRY_BYTES; number++)
            heap.computeIfAbsent(number / 1000, key -> new HashMap<>()).put(number, new Entry(number));
    }

    static void work() {
        Object[] held = {inLocal()};
        synchronized (HeldHeap.class) {
            HeldHeap.class.notify();
        }
        while (held[0].hashCode() != 1) {
            try {
                Thread.sleep(10);
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        fill(Long.parseLong(arguments[0]) * 1_000_000);
        System.out.println("full");
        while (System.in.read() != '\n') { }
        // The sample points of threads that ran before a session are unknown to it.
        for (int i = 0; i < GARBAGE; i++) list.add(new byte[1 << 16]);
        list.clear();
        for (int i = 0; i < LINKS; i++) list.add(new ArrayList<>());
        list.add(inList());
        for (int i = 0; i < 2 * LINKS; i++) list.add(new ArrayList<>());
        caches.computeIfAbsent("sessions", key -> new HashMap<>()).put("one", inMap());
        Thread worker = new Thread(HeldHeap::work, "worker");
        worker.setDaemon(true);
        synchronized (HeldHeap.class) {
            worker.start();
            HeldHeap.class.wait();
        }
        System.out.println("ready");
        System.in.read();
    }
}
