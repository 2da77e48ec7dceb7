import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Objects that survive a while, large arrays, copies, sorting: work for every collector and its barriers. */
final class Garbage implements Soak.Activity {
    private static final int KEPT = 20_000;
    private final List<Object> kept = new ArrayList<>();
    private int round;

    @Override
    public void round() {
        for (int i = 0; i < 5_000; i++) kept.add(new Object[] {new int[i % 200], Integer.toString(i), kept.isEmpty() ? null : kept.get(0)});
        if (kept.size() > KEPT) kept.subList(0, kept.size() - KEPT / 2).clear();
        long[] large = new long[++round % 8 == 0 ? 400_000 : 4_000];
        for (int i = 0; i < 4_000; i++) large[i] = i * 31L % 977;
        Arrays.sort(large = Arrays.copyOf(large, 4_000));
        Soak.check(large[0] == 0 && large[3_999] <= 976, "a sorted array");
    }
}
