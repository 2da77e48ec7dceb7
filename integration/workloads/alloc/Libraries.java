import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.internal.tcnative.Library;
import io.netty.internal.tcnative.SSL;
import io.netty.internal.tcnative.SSLContext;
import java.io.File;
import java.nio.file.Files;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.zip.Deflater;
import org.rocksdb.RocksDB;
import org.rocksdb.WriteBatch;

/**
 * Native memory of libraries that programs use, each in a healthy use and leaking: batches of RocksDB that are never closed, compressors of zlib
 * that never end, connections of BoringSSL that are never freed, buffers of Netty's pool that are never released. The arguments: a folder for the
 * library of BoringSSL; those that leak, separated by commas; bytes a second of each leak, about. Prints "ready", and ends with its input.
 */
public class Libraries {
    static final int STEPS = 50, KEPT = 40, BATCH = 100_000, BUFFER = 24_000;
    /** Of a compressor, and of a connection that has said nothing yet; the true sizes are the libraries' own. */
    static final int DEFLATER = 268_000, CONNECTION = 9_000;
    static final List<Object> leaked = new ArrayList<>();

    /** One library's memory. */
    interface Kind {
        int bytes();
        Object take() throws Exception;
        void giveBack(Object one);
        void leak() throws Exception;
    }

    static class Batches implements Kind {
        public int bytes() { return BATCH; }
        public Object take() { return new WriteBatch(BATCH); }
        public void giveBack(Object one) { ((WriteBatch) one).close(); }
        public void leak() { leakBatch(); }
        static void leakBatch() { leaked.add(new WriteBatch(BATCH)); }
    }

    static class Deflaters implements Kind {
        public int bytes() { return DEFLATER; }
        public Object take() { return new Deflater(); }
        public void giveBack(Object one) { ((Deflater) one).end(); }
        public void leak() { leakDeflater(); }
        static void leakDeflater() { leaked.add(new Deflater()); }
    }

    static class Connections implements Kind {
        final long context;
        Connections() throws Exception { context = SSLContext.make(SSL.SSL_PROTOCOL_ALL, SSL.SSL_MODE_CLIENT); }
        public int bytes() { return CONNECTION; }
        public Object take() { return SSL.newSSL(context, false); }
        public void giveBack(Object one) { SSL.freeSSL((Long) one); }
        public void leak() { leakConnection(context); }
        static void leakConnection(long context) { SSL.newSSL(context, false); }
    }

    /**
     * Chunks of 64 KiB, so that a pool asks for memory often. Where healthy use shares a pool with a leak, either may be the one that finds no
     * space in it: so each has its own.
     */
    static class Buffers implements Kind {
        final PooledByteBufAllocator pool = newPool(), leaking = newPool();
        static PooledByteBufAllocator newPool() { return new PooledByteBufAllocator(true, 0, 1, 8192, 3, 0, 0, false); }
        public int bytes() { return BUFFER; }
        public Object take() { return pool.directBuffer(BUFFER); }
        public void giveBack(Object one) { ((ByteBuf) one).release(); }
        public void leak() { leakBuffer(leaking); }
        static void leakBuffer(PooledByteBufAllocator pool) { leaked.add(pool.directBuffer(BUFFER)); }
    }

    static class Use {
        final Kind kind;
        final boolean leaks;
        final ArrayDeque<Object> kept = new ArrayDeque<>();
        long owed;

        Use(Kind kind, boolean leaks) {
            this.kind = kind;
            this.leaks = leaks;
        }

        /** The oldest is given back for a new one. */
        void serve() throws Exception {
            kept.add(kind.take());
            while (kept.size() > KEPT) kind.giveBack(kept.poll());
        }

        void leak(int bytes) throws Exception {
            for (owed += leaks ? bytes : 0; owed >= kind.bytes(); owed -= kind.bytes()) kind.leak();
        }
    }

    static void loadBoringSsl(File folder) throws Exception {
        String name = "libnetty_tcnative_linux_x86_64.so";
        File library = new File(folder, name);
        Files.copy(Libraries.class.getResourceAsStream("/META-INF/native/" + name), library.toPath());
        System.load(library.getPath());
        Library.initialize("provided", null);
    }

    public static void main(String[] arguments) throws Exception {
        RocksDB.loadLibrary();
        loadBoringSsl(new File(arguments[0]));
        List<String> leaking = Arrays.asList(arguments[1].split(","));
        int bytes = Integer.parseInt(arguments[2]);
        List<Use> uses = new ArrayList<>();
        uses.add(new Use(new Batches(), leaking.contains("rocksdb")));
        uses.add(new Use(new Deflaters(), leaking.contains("zlib")));
        uses.add(new Use(new Connections(), leaking.contains("boringssl")));
        uses.add(new Use(new Buffers(), leaking.contains("netty")));
        Thread running = new Thread(() -> run(uses, bytes), "service");
        running.setDaemon(true);
        running.start();
        System.in.read();
    }

    static void run(List<Use> uses, int bytes) {
        try {
            for (int i = 0; i < KEPT; i++)
                for (Use use : uses) use.serve();
            System.out.println("ready");
            for (;;) {
                for (Use use : uses) {
                    use.serve();
                    use.leak(bytes / STEPS);
                }
                LockSupport.parkNanos(1_000_000_000L / STEPS);
            }
        } catch (Exception error) {
            error.printStackTrace();
            System.exit(1);
        }
    }
}
