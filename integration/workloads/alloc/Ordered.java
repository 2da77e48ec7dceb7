import java.io.BufferedReader;
import java.io.InputStreamReader;

/** Allocates as many MB of objects of 1 KB on its main thread as each line of its standard input asks for, then prints "done". */
public class Ordered {
    private static final int OBJECT = 1024 - 16;
    private static volatile Object sink;

    private static void allocate(long megabytes) {
        for (long i = 0; i < megabytes * 1024; i++) sink = new byte[OBJECT];
    }

    public static void main(String[] args) throws Exception {
        BufferedReader orders = new BufferedReader(new InputStreamReader(System.in));
        System.out.println("ready");
        for (String order; (order = orders.readLine()) != null; ) {
            allocate(Long.parseLong(order));
            System.out.println("done");
        }
    }
}
