import hearth.AllocationBudget;
import java.util.Arrays;

/** Two budgets at once: while the agent records the one, the other waits for it, or has ended. Prints the result of each. */
public class TwoThreads {
    private static final Thread[] THREADS = new Thread[2];

    public static void main(String[] arguments) throws Exception {
        for (int i = 0; i < THREADS.length; i++) {
            int number = i;
            THREADS[i] = new Thread(() -> check(THREADS[1 - number]));
        }
        for (Thread thread : THREADS) thread.start();
        for (Thread thread : THREADS) thread.join();
    }

    private static void check(Thread other) {
        try {
            AllocationBudget.of("at once").objects(Integer.MAX_VALUE).check(() -> meet(other));
            System.out.println("kept");
        } catch (AssertionError exceeded) {
            System.out.println(exceeded.getMessage());
        }
    }

    private static void meet(Thread other) {
        if (!isRecording(Thread.currentThread())) return;
        while (other.getState() != Thread.State.TERMINATED && !waits(other)) Thread.yield();
    }

    private static boolean waits(Thread other) {
        return other.getState() == Thread.State.BLOCKED && isRecording(other);
    }

    private static boolean isRecording(Thread thread) {
        return Arrays.stream(thread.getStackTrace()).anyMatch(frame -> frame.getClassName().equals("hearth.AllocationProfile"));
    }
}
