import java.util.function.IntUnaryOperator;

/** Loads classes, runs them and forgets them; a collection now and then makes the JVM unload them. */
final class Classes implements Soak.Activity {
    private static final int COLLECT = 400;
    private int loaded;

    @Override
    public void round() throws Exception {
        IntUnaryOperator shapes = Copies.shapes();
        Soak.check(shapes.applyAsInt(8) == 140 && shapes.applyAsInt(8) == 28 && shapes.applyAsInt(8) == 148, "areas");
        if (++loaded % COLLECT == 0) System.gc();
    }
}
