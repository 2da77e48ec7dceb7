import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Works in spans that a native library publishes as OpenTelemetry's agents do. Prints "ready", then does what each line names,
 * prints "NAME NANOSECONDS" for each span or attribute by the threads' own clocks, and "done"; an empty line ends it.
 */
public class OtherAgent {
    private static final ThreadMXBean CLOCK = ManagementFactory.getThreadMXBean();
    private static final long UNIT_NS = 10_000_000;
    private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
    private static final Map<String, Long> SPENT = new LinkedHashMap<>();
    private static volatile long sink;

    static native void publish(byte[] payload);

    static native void attach(byte[] record);

    static native void point(long address);

    static native long edge(byte[] record);

    public static void main(String[] words) throws Exception {
        System.out.println("ready");
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
        for (String line = lines.readLine(); line != null && !line.isEmpty(); line = lines.readLine()) {
            SPENT.clear();
            if (line.equals("load")) load(words[0]);
            if (line.equals("spans")) onTwoThreads(OtherAgent::spans);
            if (line.equals("sleeps")) sleeps();
            if (line.equals("many")) many();
            if (line.equals("damaged")) damaged();
            SPENT.forEach((name, time) -> System.out.println(name + " " + time));
            System.out.println("done");
        }
    }

    private static void load(String library) {
        System.load(library);
        ByteArrayOutputStream names = new ByteArrayOutputStream();
        for (String name : new String[] {"local.root_span_id", "http.route"}) put(names, 1, field(1, name));
        ByteArrayOutputStream attribute = new ByteArrayOutputStream(), context = new ByteArrayOutputStream();
        put(attribute, 1, "threadlocal.attribute_key_map".getBytes(StandardCharsets.UTF_8));
        put(attribute, 2, field(5, names.toByteArray()));
        put(context, 2, attribute.toByteArray());
        publish(context.toByteArray());
    }

    private static byte[] field(int number, String text) {
        return field(number, text.getBytes(StandardCharsets.UTF_8));
    }

    private static byte[] field(int number, byte[] bytes) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        put(out, number, bytes);
        return out.toByteArray();
    }

    private static void put(ByteArrayOutputStream out, int number, byte[] bytes) {
        out.write(number << 3 | 2);
        for (int size = bytes.length; ; size >>= 7) {
            out.write(size < 0x80 ? size : size & 0x7f | 0x80);
            if (size < 0x80) break;
        }
        out.write(bytes, 0, bytes.length);
    }

    private static byte[] hex(String digits) {
        byte[] bytes = new byte[digits.length() / 2];
        for (int i = 0; i < bytes.length; i++) bytes[i] = (byte) Integer.parseInt(digits.substring(2 * i, 2 * i + 2), 16);
        return bytes;
    }

    /** With another root each time, which is no label. */
    private static byte[] record(String span, String route, long root) {
        byte[] key = field(0, String.format("%016x", root)), value = field(0, route);
        value[0] = 1;
        key[0] = 0;
        ByteBuffer record = ByteBuffer.allocate(28 + key.length + value.length).order(ByteOrder.nativeOrder());
        record.put(span == null ? new byte[16] : hex(TRACE)).put(span == null ? new byte[8] : hex(span));
        return record.put((byte) 1).put((byte) 1).putShort((short) (key.length + value.length)).put(key).put(value).array();
    }

    private static void onTwoThreads(Runnable work) throws Exception {
        Thread other = new Thread(work);
        other.start();
        work.run();
        other.join();
    }

    private static void spans() {
        for (int turn = 0; turn < 12; turn++) {
            in("00f067aa0ba902b7", "/dear", 6, turn);
            in("00f067aa0ba902b8", "/cheap", 2, turn);
            in(null, "/background", 2, turn);
            attach(null);
            measure("none", 2);
        }
    }

    private static void in(String span, String route, int units, long root) {
        attach(record(span, route, root));
        measure(route, units);
    }

    private static void measure(String name, int units) {
        long before = CLOCK.getCurrentThreadCpuTime(), end = before + units * UNIT_NS;
        while (CLOCK.getCurrentThreadCpuTime() < end) spin(10_000);
        spend(name, CLOCK.getCurrentThreadCpuTime() - before);
    }

    private static synchronized void spend(String name, long ns) {
        SPENT.merge(name, ns, Long::sum);
    }

    private static void spin(int turns) {
        long value = sink;
        for (int i = 1; i < turns; i++) value = value * 31 + value / i;
        sink = value;
    }

    private static void sleeps() throws InterruptedException {
        for (String route : new String[] {"/dear", "/cheap", "/dear"}) {
            long before = System.nanoTime();
            attach(record("00f067aa0ba902b7", route, 1));
            Thread.sleep(route.equals("/dear") ? 900 : 600);
            spend(route, System.nanoTime() - before);
        }
        attach(null);
    }

    /** More sets of attributes than are kept. */
    private static void many() {
        for (int i = 0; i < 6000; i++) {
            attach(record(null, "/" + i, 1));
            spin(20_000);
        }
        attach(null);
    }

    private static void damaged() {
        byte[] record = record("00f067aa0ba902b7", "/edge", 1), longer = record.clone();
        ByteBuffer.wrap(longer).order(ByteOrder.nativeOrder()).putShort(26, (short) 0xffff);
        for (long address : new long[] {1, 16, -8, -1, 0x7fff_ffff_f000L, edge(longer), edge(java.util.Arrays.copyOf(record, 20))}) {
            point(address);
            measure("damaged", 5);
        }
        attach(null);
    }
}
