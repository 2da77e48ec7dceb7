import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.RandomAccessFile;

/**
 * Writes CALLS single bytes to /dev/null, each by one call of write(2), when it reads "work"; prints "done" afterwards. A new thread
 * does so each time. Ends when it reads "end".
 */
public class WriteCalls {
    static void writeAll(int calls) {
        try (RandomAccessFile file = new RandomAccessFile("/dev/null", "rw")) {
            for (int i = 0; i < calls; i++) file.write(1);
        } catch (Exception error) {
            throw new IllegalStateException(error);
        }
    }

    public static void main(String[] arguments) throws Exception {
        int calls = Integer.parseInt(arguments[0]);
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
        System.out.println("ready");
        while (!"end".equals(input.readLine())) {
            Thread writer = new Thread(() -> writeAll(calls), "writer");
            writer.start();
            writer.join();
            System.out.println("done");
        }
    }
}
