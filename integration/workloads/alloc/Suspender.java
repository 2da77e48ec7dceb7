/** Threads suspended and resumed as a debugger does it; each answers a JVMTI error, 0 when it did it. */
public class Suspender {
    static native int suspend(Thread thread);
    static native int resume(Thread thread);
    static native boolean isSuspended(Thread thread);
    /** The calling thread suspends itself when it is about to make its count-th weak reference from now on. */
    static native int suspendAtReference(int count);

    static void expectDone(int error) {
        if (error != 0) throw new IllegalStateException("JVMTI error " + error);
    }
}
