import java.util.function.IntUnaryOperator;

/**
 * Sums areas. The first call knows one kind of shape, and code is compiled for that one; each further call loads and uses
 * one kind more, which makes the code of the calls before wrong.
 */
public class CopiedShapes implements IntUnaryOperator {
    private int calls;

    @Override
    public int applyAsInt(int count) {
        Shape shape = next();
        int sum = 0;
        for (int i = 0; i < count; i++) sum += shape.area(i & 7);
        return sum;
    }

    private Shape next() {
        switch (calls++ % 3) {
            case 0: return new Square();
            case 1: return new Bar();
            default: return new Frame(new Square());
        }
    }

    abstract static class Shape {
        abstract int area(int size);
    }

    static final class Square extends Shape {
        @Override int area(int size) { return size * size; }
    }

    static final class Bar extends Shape {
        @Override int area(int size) { return size; }
    }

    static final class Frame extends Shape {
        private final Shape inside;
        Frame(Shape inside) { this.inside = inside; }
        @Override int area(int size) { return inside.area(size) + 1; }
    }
}
