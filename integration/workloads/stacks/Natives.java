/**
 * A native library's functions that call each other, on the main thread.
 *   Natives LIBRARY   prints "ready", works until its standard input ends
 */
public class Natives {
    private static native long spin(int turns);

    public static void main(String[] args) throws java.io.IOException {
        System.load(args[0]);
        Thread thread = new Thread(() -> {
            for (;;) spin(20_000);
        }, "natives");
        thread.setDaemon(true);
        thread.start();
        System.out.println("ready");
        while (System.in.read() >= 0) { }
    }
}
