import java.util.function.IntUnaryOperator;

/** Gets code compiled for the one class that is known, then shows it another. */
final class Deoptimizations implements Soak.Activity {
    private static final int HOT = 8 * 20_000;

    @Override
    public void round() throws Exception {
        IntUnaryOperator shapes = Copies.shapes();
        for (int kind = 0; kind < 6; kind++) {
            int sum = shapes.applyAsInt(HOT) / (HOT / 8);
            Soak.check(sum == new int[] {140, 28, 148}[kind % 3], "areas of hot code");
        }
    }
}
