/** Exceptions of every origin: thrown, and found by the processor in compiled code, which are signals first. */
final class Exceptions implements Soak.Activity {
    private static int[] numbers = new int[8];
    private static volatile Object nothing;

    static int work(int count) {
        int value = count;
        for (int i = 1; i <= count; i++) value = value * 31 + value / i;
        return value;
    }

    private static int thrown(int depth) {
        if (depth == 0) throw new UnsupportedOperationException("thrown");
        return thrown(depth - 1) + 1;
    }

    private static boolean raises(int kind) {
        try {
            switch (kind) {
                case 0: return nothing.hashCode() == 0;
                case 1: return numbers[kind + numbers.length] == 0;
                case 2: return kind / (numbers.length - 8) == 0;
                case 3: return ((String) (Object) numbers).isEmpty();
                default: return thrown(40) == 0;
            }
        } catch (NullPointerException | ArithmeticException | IndexOutOfBoundsException | ClassCastException
                 | UnsupportedOperationException expected) {
            return expected.getClass() != null;
        }
    }

    @Override
    public void round() {
        for (int i = 0; i < 1_000; i++) Soak.check(raises(i % 5), "an exception");
        work(20_000);
    }
}
