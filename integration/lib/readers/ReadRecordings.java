import java.io.File;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import one.jfr.JfrReader;
import one.jfr.event.AllocationSample;
import one.jfr.event.ContendedLock;
import one.jfr.event.Event;
import one.jfr.event.ExecutionSample;
import one.jfr.event.LiveObject;
import org.openjdk.jmc.common.item.IAccessorKey;
import org.openjdk.jmc.common.item.IItem;
import org.openjdk.jmc.common.item.IItemIterable;
import org.openjdk.jmc.common.item.IMemberAccessor;
import org.openjdk.jmc.common.item.IType;
import org.openjdk.jmc.common.unit.IQuantity;
import org.openjdk.jmc.flightrecorder.JfrAttributes;
import org.openjdk.jmc.flightrecorder.JfrLoaderToolkit;

/**
 * Prints what two readers of others find in a recording: "READER TYPE COUNT SUM", READER jmc or asprof. JMC's sum is that of the
 * type's field among the arguments, TYPE=FIELD; async-profiler's that of its events' values.
 */
public class ReadRecordings {
    private static final Class<?>[] SAMPLES = {ExecutionSample.class, AllocationSample.class, LiveObject.class, ContendedLock.class};

    public static void main(String[] args) throws Exception {
        Map<String, String> fields = new HashMap<>();
        for (int i = 1; i < args.length; i++) fields.put(args[i].split("=")[0], args[i].split("=")[1]);
        readByJmc(args[0], fields);
        readByAsyncProfiler(args[0]);
    }

    private static void readByJmc(String file, Map<String, String> fields) throws Exception {
        for (IItemIterable items : JfrLoaderToolkit.loadEvents(new File(file))) {
            String type = items.getType().getIdentifier();
            IMemberAccessor<?, IItem> stack = JfrAttributes.EVENT_STACKTRACE.getAccessor(items.getType());
            IMemberAccessor<?, IItem> field = accessor(items.getType(), fields.get(type));
            long count = 0, sum = 0;
            for (IItem item : items) {
                count++;
                if (stack != null && stack.getMember(item) == null) throw new IllegalStateException("no stack of " + item);
                if (field != null) sum += ((IQuantity) field.getMember(item)).longValue();
            }
            System.out.println("jmc " + type + " " + count + " " + sum);
        }
    }

    private static IMemberAccessor<?, IItem> accessor(IType<IItem> type, String field) {
        for (IAccessorKey<?> key : type.getAccessorKeys().keySet())
            if (key.getIdentifier().equals(field)) return type.getAccessor(key);
        return null;
    }

    private static void readByAsyncProfiler(String file) throws Exception {
        Map<String, long[]> sums = new TreeMap<>();
        try (JfrReader reader = new JfrReader(file)) {
            for (Event event; (event = reader.readEvent()) != null; ) {
                for (Class<?> kind : SAMPLES) {
                    if (!kind.isInstance(event)) continue;
                    long[] sum = sums.computeIfAbsent(kind.getSimpleName(), name -> new long[2]);
                    sum[0] += event.samples();
                    sum[1] += event.value();
                    if (reader.stackTraces.get(event.stackTraceId) == null) throw new IllegalStateException("no stack of " + event);
                }
            }
        }
        sums.forEach((name, sum) -> System.out.println("asprof " + name + " " + sum[0] + " " + sum[1]));
    }
}
