import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import sun.misc.Unsafe;

// Allocates known bytes of native memory at seven sites, by commands on its input. Frees all but every `kept`th.
public class NativeSites {
    static native long malloc(long size);
    static native long calloc(long size);
    static native long realloc(long size);
    static native long aligned(long size);
    static native long map(long size);
    static native void unmap(long memory, long size);
    static native void free(long memory);
    static native long pairs(long count, long work);
    static native long reload(String path);

    static final List<ByteBuffer> buffers = new ArrayList<>();
    static Unsafe unsafe;

    static void mallocs(int count, int size, int kept) {
        for (int i = 0; i < count; i++) keep(malloc(size), i, kept);
    }

    static void callocs(int count, int size, int kept) {
        for (int i = 0; i < count; i++) keep(calloc(size), i, kept);
    }

    static void reallocs(int count, int size, int kept) {
        for (int i = 0; i < count; i++) keep(realloc(size), i, kept);
    }

    static void aligneds(int count, int size, int kept) {
        for (int i = 0; i < count; i++) keep(aligned(size), i, kept);
    }

    static void unsafes(int count, int size, int kept) {
        for (int i = 0; i < count; i++) {
            long memory = unsafe.allocateMemory(size);
            if (i % kept != 0) unsafe.freeMemory(memory);
        }
    }

    static void maps(int count, int size, int kept) {
        for (int i = 0; i < count; i++) {
            long memory = map(size);
            if (i % kept != 0) unmap(memory, size);
        }
    }

    static void directs(int count, int size) {
        for (int i = 0; i < count; i++) buffers.add(ByteBuffer.allocateDirect(size));
    }

    static void keep(long memory, int i, int kept) {
        if (i % kept != 0) free(memory);
    }

    public static void main(String[] args) throws Exception {
        System.load(args[0]);
        Field field = Unsafe.class.getDeclaredField("theUnsafe");
        field.setAccessible(true);
        unsafe = (Unsafe) field.get(null);
        System.out.println("ready");
        while (true) {
            String line = readLine();
            if (line == null || line.equals("end")) break;
            String[] words = line.split(" ");
            if (words[0].equals("sites")) {
                int count = Integer.parseInt(words[1]), size = Integer.parseInt(words[2]), kept = Integer.parseInt(words[3]);
                mallocs(count, size, kept);
                callocs(count, size, kept);
                reallocs(count, size, kept);
                aligneds(count, size, kept);
                unsafes(count, size, kept);
                maps(count, size, kept);
                directs(count / kept, size);
            } else if (words[0].equals("pairs")) {
                ThreadMXBean threads = ManagementFactory.getThreadMXBean();
                long began = threads.getCurrentThreadCpuTime();
                pairs(Long.parseLong(words[1]), Long.parseLong(words[2]));
                System.out.println("took " + (threads.getCurrentThreadCpuTime() - began));
            } else if (words[0].equals("load")) {
                load(words[1], words[2]);
            }
            System.out.println("done");
        }
    }

    static volatile boolean loads;

    // Until the command "load no": reloads a library and allocates on two threads.
    static void load(String verb, String path) throws Exception {
        if (verb.equals("stop")) {
            loads = false;
            for (Thread thread : loaders) thread.join();
            return;
        }
        loads = true;
        for (int i = 0; i < 2; i++) {
            boolean reloads = i == 0;
            Thread thread = new Thread(() -> {
                while (loads) {
                    if (reloads) reload(path);
                    else pairs(10000, 0);
                }
            });
            thread.start();
            loaders.add(thread);
        }
    }

    static final List<Thread> loaders = new ArrayList<>();

    static String readLine() throws java.io.IOException {
        StringBuilder line = new StringBuilder();
        for (int c; (c = System.in.read()) >= 0;) {
            if (c == '\n') return line.toString();
            line.append((char) c);
        }
        return null;
    }
}
