import java.util.ArrayList;
import java.util.List;

/** Keeps the argument's number of MB, while four threads fill the rest of the heap with garbage; halts then. */
public class FullHeap {
    private static final List<byte[]> kept = new ArrayList<>();
    private static volatile Object sink;

    private static void fill() {
        while (true) {
            try {
                sink = new byte[1 << 19];
            } catch (OutOfMemoryError e) {
                sink = null;
            }
        }
    }

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < 4; i++) {
            Thread thread = new Thread(FullHeap::fill);
            thread.setDaemon(true);
            thread.start();
        }
        for (int i = 0; i < Integer.parseInt(args[0]); i++) kept.add(new byte[1 << 20]);
        Thread.sleep(700);
        Runtime.getRuntime().halt(0);
    }
}
