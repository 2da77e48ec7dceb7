import java.util.ArrayList;
import java.util.List;

/** Sums orders for a minute. */
public class Orders {
    public static void main(String[] arguments) {
        List<long[]> orders = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) orders.add(new long[] {i, i * 37 % 101});
        long end = System.nanoTime() + 60_000_000_000L;
        long sum = 0;
        while (System.nanoTime() < end) sum += total(orders);
        System.out.println("total: " + sum);
    }

    private static long total(List<long[]> orders) {
        long sum = 0;
        for (long[] order : orders) sum += order[0] % 13 * order[1];
        return sum;
    }
}
