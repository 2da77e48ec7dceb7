/**
 * A thread that is suspended in the midst of an allocation sample, at its N-th weak reference, while another one goes on
 * (args: the library that can, N). Prints "ready". After a line of input: has it suspended, allocates 1000 Passing, prints
 * "suspended". After the next: allocates 1000 more, resumes the thread, waits until that has allocated 1000 Held more,
 * prints "resumed". The third one ends it.
 */
public class SuspendedInSample {
    static final int OBJECTS = 1000;

    static class First { }
    static class Second { }
    static class Third { }
    static class Held { }
    static class Passing { }

    private static volatile Object kept;

    // Not each class gets a reference: there is none if the class's place in a small table is taken.
    private static void allocateUntilSuspended() {
        kept = new First();
        kept = new Second();
        kept = new Third();
    }

    private static void allocateHeld(int objects) {
        for (int i = 0; i < objects; i++) kept = new Held();
    }

    private static void allocatePassing(int objects) {
        for (int i = 0; i < objects; i++) kept = new Passing();
    }

    private static void beSuspended(int reference) {
        Suspender.expectDone(Suspender.suspendAtReference(reference));
        allocateUntilSuspended();
        allocateHeld(OBJECTS);
    }

    private static void waitForLine() throws java.io.IOException {
        while (System.in.read() != '\n') { }
    }

    public static void main(String[] args) throws Exception {
        System.load(args[0]);
        int reference = Integer.parseInt(args[1]);
        Thread thread = new Thread(() -> beSuspended(reference));
        allocateUntilSuspended();  // loads the classes
        allocateHeld(1);
        allocatePassing(1);
        System.out.println("ready");
        waitForLine();
        thread.start();
        while (!Suspender.isSuspended(thread)) Thread.yield();
        allocatePassing(OBJECTS);
        System.out.println("suspended");
        waitForLine();
        allocatePassing(OBJECTS);
        Suspender.expectDone(Suspender.resume(thread));
        thread.join();
        System.out.println("resumed");
        waitForLine();
    }
}
