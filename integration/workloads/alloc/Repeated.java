import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * The same work again and again, on a thread that is there from the beginning: objects made in all the ways there are,
 * none too large for a TLAB on the line "small".
 * Prints "ready" when all is compiled; does the work once for each line of input, and prints "done"; the line "end" ends it.
 */
public class Repeated {
    static final int TIMES = 200;
    private static final int WARM_UPS = 3000;
    // The JIT cannot remove objects that are kept.
    private static final Object[] kept = new Object[32];
    private static boolean small;

    static class Point implements Cloneable {
        int x, y;
        @Override public Point clone() throws CloneNotSupportedException { return (Point) super.clone(); }
    }

    private static Object sum(Object... parts) { return parts; }

    private static void point(int i) { kept[0] = new Point(); }
    private static void cloned(int i) throws Exception { kept[1] = ((Point) kept[0]).clone(); }
    private static void bytes(int i) { kept[2] = new byte[100 + i]; }
    private static void arrays(int i) { kept[3] = new int[4][i % 10]; }
    private static void large(int i) { if (i % 50 == 0 && !small) kept[4] = new long[200_000]; }
    private static void reflected(int i) { kept[5] = Array.newInstance(String.class, 3); }
    private static void varargs(int i) { kept[6] = sum(kept[0], kept[1]); }
    private static void boxed(int i) { kept[7] = Long.valueOf(100_000 + i); }
    private static void string(int i) { kept[8] = "number " + i; }
    private static void lambda(int i) { kept[9] = (Supplier<Integer>) () -> i; }
    private static void copied(int i) { kept[10] = ((byte[]) kept[2]).clone(); }

    private static void collections(int i) {
        Map<Integer, List<Integer>> map = new HashMap<>();
        for (int j = 0; j < 20; j++) map.computeIfAbsent(j % 7 + 1000, key -> new ArrayList<>()).add(j + 1000);
        kept[11] = map;
    }

    private static void work() throws Exception {
        for (int i = 0; i < TIMES; i++) {
            point(i);
            cloned(i);
            bytes(i);
            arrays(i);
            large(i);
            reflected(i);
            varargs(i);
            boxed(i);
            string(i);
            lambda(i);
            copied(i);
            collections(i);
        }
    }

    private static int readLine() throws Exception {
        int length = 0;
        while (System.in.read() != '\n') length++;
        return length;
    }

    public static void main(String[] args) throws Exception {
        small = args.length > 0;
        for (int i = 0; i < WARM_UPS; i++) work();
        System.out.println("ready");
        while (readLine() == 0) {
            work();
            System.out.println("done");
        }
    }
}
