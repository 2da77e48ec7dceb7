/** The main thread begins with arrays of 1 KB, their number being the argument; then a second thread makes as many. */
public class FirstBurst {
    static Object kept;

    static void ofMain(int objects) {
        for (int i = 0; i < objects; i++) kept = new byte[1024];
    }

    static void ofAnother(int objects) {
        for (int i = 0; i < objects; i++) kept = new byte[1024];
    }

    public static void main(String[] args) throws Exception {
        int objects = Integer.parseInt(args[0]);
        ofMain(objects);
        Thread thread = new Thread(() -> ofAnother(objects));
        thread.start();
        thread.join();
    }
}
