/**
 * Works in a static initializer, which the JVM calls on behalf of Java code.
 *   Between   prints "ready", works until its standard input ends
 */
public class Between {
    static volatile double sum;
    static volatile boolean ends;

    static class Inner {
        static {
            while (!ends) work();
        }

        static void work() {
            for (int i = 0; i < 100_000; i++) sum += i * 0.5;
        }
    }

    public static void main(String[] args) throws Exception {
        Thread thread = new Thread(() -> {
            try {
                Class.forName("Between$Inner");
            } catch (ClassNotFoundException e) {
                throw new IllegalStateException(e);
            }
        }, "between");
        thread.setDaemon(true);
        thread.start();
        System.out.println("ready");
        while (System.in.read() >= 0) { }
    }
}
