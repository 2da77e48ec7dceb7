import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.Random;

/**
 * The same work of three stages for each line on standard input, in which `slow` takes four times the CPU time of the others
 * where the line asks for it. Prints "ready" when it is warm, and "done" after each.
 */
public class Stages {
    private static final int UNIT = 1_000_000;
    private static final int ROUNDS = 300;
    private static volatile long sink;

    static long first(int n) {
        long sum = 7;
        for (int i = 0; i < n; i++) sum = sum * 31 + (sum >>> 7 ^ i);
        return sum;
    }

    static long second(int n) {
        long sum = 5;
        for (int i = 0; i < n; i++) sum = sum * 17 + (sum >>> 9 ^ i);
        return sum;
    }

    static long slow(int n) {
        long sum = 3;
        for (int i = 0; i < n; i++) sum = sum * 13 + (sum >>> 11 ^ i);
        return sum;
    }

    static void work(int rounds, int factor) {
        // Rounds of one length would beat with the sampling interval.
        Random lengths = new Random(1);
        for (int i = 0; i < rounds; i++) {
            int n = UNIT / 2 + lengths.nextInt(UNIT);
            sink += first(n) + second(n) + slow(factor * n);
        }
    }

    public static void main(String[] args) throws Exception {
        work(ROUNDS, 1);
        System.out.println("ready");
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            work(ROUNDS, line.equals("slow") ? 4 : 1);
            System.out.println("done");
        }
    }
}
