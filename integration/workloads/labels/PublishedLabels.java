package hearth;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Paths;

/** Prints "TID" of its thread, then goes into the labels and the span that each line names, and prints "done"; an empty line ends it. */
public class PublishedLabels {
    public static void main(String[] words) throws Exception {
        System.out.println("tid " + Files.readSymbolicLink(Paths.get("/proc/thread-self")).getFileName());
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
        Labels.Scope scope = null;
        for (String line = lines.readLine(); line != null && !line.isEmpty(); line = lines.readLine()) {
            if (line.equals("labels")) scope = Labels.of("endpoint", "/a", "tenant", "größer").open();
            if (line.equals("span")) ThreadSpan.set(ThreadSpan.here(), 0x0102030405060708L, 0x090a0b0c0d0e0f10L, 0xa1a2a3a4a5a6a7a8L);
            if (line.equals("leave")) {
                scope.close();
                ThreadSpan.set(ThreadSpan.here(), 0, 0, 0);
            }
            if (line.equals("cost")) cost();
            System.out.println("done");
        }
    }

    private static void cost() {
        Labels labels = Labels.of("endpoint", "/cost");
        for (int round = 0; round < 10; round++) {
            long before = System.nanoTime();
            for (int i = 0; i < 1_000_000; i++) {
                try (Labels.Scope one = labels.open()) {
                    if (i < 0) System.out.println();
                }
            }
            System.out.println("pair-ns " + (System.nanoTime() - before) / 1_000_000);
        }
    }
}
