import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/** Deep stacks, and stacks that are full: of interpreted, compiled and native frames. */
final class Recursions implements Soak.Activity {
    private static final int DEEP = 3_000;
    private static final long STACK_BYTES = 512 << 10;
    private static final MethodHandle BY_HANDLE = byHandle();
    private static volatile int reached;

    private static MethodHandle byHandle() {
        try {
            return MethodHandles.lookup().findStatic(Recursions.class, "endlessByHandle", MethodType.methodType(int.class, int.class));
        } catch (ReflectiveOperationException never) {
            throw new IllegalStateException(never);
        }
    }

    private static int down(int depth, long a, double b) {
        if (depth == 0) return Exceptions.work(5_000);
        return down(depth - 1, a + 1, b * 2) ^ depth;
    }

    private static int endless(int depth) {
        reached = depth;
        return endless(depth + 1) + 1;
    }

    private static int endlessByHandle(int depth) throws Throwable {
        reached = depth;
        return (int) BY_HANDLE.invokeExact(depth + 1) + 1;
    }

    private static void overflow() {
        try {
            endless(0);
        } catch (StackOverflowError full) {
            Soak.check(reached > 100, "a full stack of many frames");
        }
        try {
            endlessByHandle(0);
        } catch (Throwable full) {
            Soak.check(full instanceof StackOverflowError && reached > 100, "a full stack of method handles' frames");
        }
    }

    @Override
    public void round() throws Exception {
        down(DEEP, 1, 1.5);
        Thread small = new Thread(null, Recursions::overflow, "overflow", STACK_BYTES);
        small.start();
        small.join();
        overflow();
    }
}
