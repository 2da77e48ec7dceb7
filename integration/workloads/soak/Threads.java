/** Threads that live for a moment. */
final class Threads implements Soak.Activity {
    private static final int AT_ONCE = 8;

    @Override
    public void round() throws Exception {
        Thread[] threads = new Thread[AT_ONCE];
        for (int i = 0; i < AT_ONCE; i++) (threads[i] = new Thread(() -> Exceptions.work(20_000))).start();
        for (Thread thread : threads) thread.join();
    }
}
