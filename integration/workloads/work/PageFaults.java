import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The thread "toucher" writes to each page of a fresh private mapping of a file (DIRECTORY, PAGES), each of which is a
 * fault of its own (a shared mapping may get several pages at once), when it reads "work". It prints
 * "faults N": the page faults of this thread meanwhile, as getrusage(2) counts them. Ends when it reads "end".
 */
public class PageFaults {
    private static final int PAGE = 4096;

    /** Minor and major faults of the calling thread, by the kernel's own count. */
    private static long faults() throws Exception {
        String stat = new String(Files.readAllBytes(Path.of("/proc/thread-self/stat")));
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
        return Long.parseLong(fields[7]) + Long.parseLong(fields[9]);
    }

    static void touch(MappedByteBuffer pages, int count) {
        for (int page = 0; page < count; page++) pages.put(page * PAGE, (byte) 1);
    }

    private static void work(Path directory, int pages) {
        Path file = directory.resolve("pages");
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            MappedByteBuffer mapped = channel.map(FileChannel.MapMode.PRIVATE, 0, (long) pages * PAGE);
            faults();
            long before = faults();
            touch(mapped, pages);
            System.out.println("faults " + (faults() - before));
            Files.delete(file);
        } catch (Exception error) {
            throw new IllegalStateException(error);
        }
    }

    public static void main(String[] arguments) throws Exception {
        Path directory = Path.of(arguments[0]);
        int pages = Integer.parseInt(arguments[1]);
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
        System.out.println("ready");
        while (!"end".equals(input.readLine())) {
            Thread toucher = new Thread(() -> work(directory, pages), "toucher");
            toucher.start();
            toucher.join();
        }
    }
}
