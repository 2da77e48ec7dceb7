/** An operation whose allocations are known: an array of references, and a boxed long for each. */
class Boxes {
    private static final long NOT_CACHED = 100_000;

    static Long[] of(int count) {
        Long[] boxes = new Long[count];
        for (int i = 0; i < count; i++) boxes[i] = NOT_CACHED + i;
        return boxes;
    }
}
