import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

/** Starts the argument's number of parked threads, named "idle-N", prints "ready", and ends with a line on standard input. */
public class Idle {
    public static void main(String[] args) throws Exception {
        int count = Integer.parseInt(args[0]);
        CountDownLatch started = new CountDownLatch(count);
        for (int i = 0; i < count; i++) {
            Thread thread = new Thread(() -> {
                started.countDown();
                while (true) LockSupport.park();
            }, "idle-" + i);
            thread.setDaemon(true);
            thread.start();
        }
        started.await();
        System.out.println("ready");
        System.in.read();
    }
}
