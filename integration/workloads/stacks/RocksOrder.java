import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Paths;
import org.rocksdb.AbstractComparator;
import org.rocksdb.ComparatorOptions;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksIterator;

/** Keys of RocksDB in an order that Java defines: C++ calls back. Argument: a directory. Prints "ready", and works until it is killed. */
public class RocksOrder {
    static class Backwards extends AbstractComparator {
        Backwards() {
            super(new ComparatorOptions());
        }

        @Override
        public String name() {
            return "backwards";
        }

        @Override
        public int compare(ByteBuffer a, ByteBuffer b) {
            int order = 0;
            for (int turn = 0; turn < 1_000; turn++) order += Long.compare(b.getLong(0), a.getLong(0));
            return Integer.signum(order);
        }
    }

    private static byte[] key(long number) {
        return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
    }

    static void put(RocksDB db, long round) throws Exception {
        for (long i = 0; i < 2_000; i++) db.put(key(i * 7_919 % 2_000 + round), new byte[16]);
    }

    static long read(RocksDB db) {
        long found = 0;
        try (RocksIterator keys = db.newIterator()) {
            for (long i = 0; i < 500; i++) {
                keys.seek(key(i));
                if (keys.isValid()) found++;
            }
        }
        return found;
    }

    public static void main(String[] args) throws Exception {
        RocksDB.loadLibrary();
        Thread.currentThread().setName("rocksorder");
        try (Options options = new Options().setCreateIfMissing(true).setComparator(new Backwards());
             RocksDB db = RocksDB.open(options, Files.createTempDirectory(Paths.get(args[0]), "rocks").toString())) {
            System.out.println("ready");
            for (long round = 0;; round++) {
                put(db, round);
                if (read(db) == 0) throw new IllegalStateException("nothing was found");
            }
        }
    }
}
