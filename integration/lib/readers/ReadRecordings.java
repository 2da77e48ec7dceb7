import java.io.File;
import java.util.Map;
import java.util.TreeMap;
import one.jfr.JfrReader;
import one.jfr.event.Event;
import org.openjdk.jmc.common.item.IItem;
import org.openjdk.jmc.common.item.IItemIterable;
import org.openjdk.jmc.common.item.IMemberAccessor;
import org.openjdk.jmc.flightrecorder.JfrAttributes;
import org.openjdk.jmc.flightrecorder.JfrLoaderToolkit;

/** Prints what two readers of others find in a recording: "jmc TYPE COUNT STACKS", and "asprof TYPE COUNT VALUE". */
public class ReadRecordings {
    public static void main(String[] args) throws Exception {
        for (IItemIterable items : JfrLoaderToolkit.loadEvents(new File(args[0]))) {
            long count = 0, stacks = 0;
            IMemberAccessor<?, IItem> stack = JfrAttributes.EVENT_STACKTRACE.getAccessor(items.getType());
            for (IItem item : items) {
                count++;
                if (stack != null && stack.getMember(item) != null) stacks++;
            }
            System.out.println("jmc " + items.getType().getIdentifier() + " " + count + " " + stacks);
        }
        Map<String, long[]> sums = new TreeMap<>();
        try (JfrReader reader = new JfrReader(args[0])) {
            for (Event event; (event = reader.readEvent()) != null; ) {
                long[] sum = sums.computeIfAbsent(event.getClass().getSimpleName(), name -> new long[2]);
                sum[0] += event.samples();
                sum[1] += event.value();
                if (reader.stackTraces.get(event.stackTraceId) == null) throw new IllegalStateException("no stack of " + event);
            }
        }
        sums.forEach((name, sum) -> System.out.println("asprof " + name + " " + sum[0] + " " + sum[1]));
    }
}
