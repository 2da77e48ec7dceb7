import java.lang.management.ManagementFactory;

/**
 * Starts and ends short busy threads: "ready", then a line "COUNT" on standard input starts and ends that many, eight at
 * a time, and prints "cpu_ns N", the process's CPU time for them. An empty line ends the program.
 */
public class Churn {
    private static final int AT_ONCE = 8;
    private static final int WORK = 600_000;
    private static volatile long sink;

    private static long processCpu() {
        return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
    }

    static void burn() {
        long value = 1;
        for (int i = 1; i < WORK; i++) value = value * 31 + value / i;
        sink = value;
    }

    private static void churn(int count) throws InterruptedException {
        Thread[] threads = new Thread[AT_ONCE];
        for (int done = 0; done < count; done += AT_ONCE) {
            for (int i = 0; i < AT_ONCE; i++) (threads[i] = new Thread(Churn::burn, "burn-" + (done + i))).start();
            for (Thread thread : threads) thread.join();
        }
    }

    public static void main(String[] args) throws Exception {
        java.io.BufferedReader in = new java.io.BufferedReader(new java.io.InputStreamReader(System.in));
        System.out.println("ready");
        for (String line; (line = in.readLine()) != null && !line.isEmpty(); ) {
            long began = processCpu();
            churn(Integer.parseInt(line));
            System.out.println("cpu_ns " + (processCpu() - began));
        }
    }
}
