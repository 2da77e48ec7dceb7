import hearth.Labels;

/** Prints "ready"; each line of input, "MS", makes a request that takes so long under the labels of an endpoint, by run and by open. */
public class SlowRequests {
    public static void main(String[] args) throws Exception {
        System.out.println("ready");
        java.util.Scanner lines = new java.util.Scanner(System.in);
        while (lines.hasNextLong()) {
            long time = lines.nextLong();
            Labels.of("endpoint", "/run").run(() -> sleep(time));
            try (Labels.Scope scope = Labels.of("endpoint", "/open", "tenant", "a").open()) {
                sleep(2 * time);
            }
            System.out.println("done");
        }
    }

    private static void sleep(long time) {
        try {
            Thread.sleep(time);
        } catch (InterruptedException end) {
            Thread.currentThread().interrupt();
        }
    }
}
