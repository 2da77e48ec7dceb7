/** An operation with known allocations: an array of references, and a boxed long for each. */
class Boxes {
    private static final long NOT_CACHED = 100_000;

    static Long[] of(int count) {
        Long[] boxes = new Long[count];
        for (int i = 0; i < count; i++) boxes[i] = NOT_CACHED + i;
        return boxes;
    }

    /** The same, so many calls deep. */
    static Object deep(int calls, int count) {
        return calls > 0 ? deep(calls - 1, count) : of(count);
    }
}
