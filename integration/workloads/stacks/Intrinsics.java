import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.zip.Adler32;
import java.util.zip.CRC32;
import java.util.zip.Checksum;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Code that the JVM replaces by hand-written machine code, kind by kind, each on a thread of that name.
 *   Intrinsics SECONDS   works on each until it is compiled, prints "ready", waits for a line, works as long on each by the
 *                        thread's CPU clock, prints "kind NAME" for each and "done", waits for a line
 * A kind that this JDK does not have is left out.
 */
public class Intrinsics {
    private interface Work { void run() throws Exception; }

    private static final ThreadMXBean CLOCK = ManagementFactory.getThreadMXBean();
    private static final int SIZE = 4096;
    private static final long WARM_UP_NS = 400_000_000;
    private static final Random RANDOM = new Random(1);
    private static final byte[] BYTES = new byte[SIZE];
    private static final byte[] TO_BYTES = new byte[SIZE];
    private static final String LATIN = text(SIZE, 'a');
    private static final String WIDE = text(SIZE, '\u0430');
    private static volatile Object sink;
    private static volatile double number;

    private static String text(int length, char first) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < length; i++) text.append((char) (first + i % 23));
        return text.toString();
    }

    private static void copyPrimitives() {
        short[] shorts = new short[SIZE];
        int[] ints = new int[SIZE];
        long[] longs = new long[SIZE];
        for (int i = 0; i < 50; i++) {
            int length = 1 + i * 80;
            System.arraycopy(BYTES, 0, TO_BYTES, 3, length);
            System.arraycopy(shorts, 0, shorts, 3, length);
            System.arraycopy(ints, 1, ints, 0, length);
            System.arraycopy(longs, 0, longs, 5, length);
        }
        sink = longs;
    }

    private static void copyObjects() {
        Object[] objects = new Object[SIZE];
        String[] strings = new String[SIZE];
        Arrays.fill(objects, "text");
        for (int i = 0; i < 50; i++) {
            int length = 1 + i * 80;
            System.arraycopy(objects, 0, strings, 0, length);  // every element is checked
            System.arraycopy(strings, 0, objects, 3, length);
            System.arraycopy(objects, 0, objects, 7, length);
        }
        sink = strings;
    }

    private static void copyAny(Object from, Object to) {
        for (int i = 0; i < 200; i++) System.arraycopy(from, 0, to, i % 9, 1 + i);
    }

    private static void cloneAndFill() {
        for (int i = 0; i < 50; i++) {
            sink = BYTES.clone();
            sink = Arrays.copyOf(BYTES, SIZE / 2 + i);
            Arrays.fill(TO_BYTES, (byte) i);
        }
    }

    private static Work checksum(Checksum sum) {
        return () -> {
            for (int i = 0; i < 50; i++) sum.update(BYTES, 0, SIZE - i);
            number = sum.getValue();
        };
    }

    private static Work digest(String algorithm) throws Exception {
        MessageDigest digest = MessageDigest.getInstance(algorithm);
        return () -> sink = digest.digest(BYTES);
    }

    private static Work cipher(String transformation, int nonceLength) throws Exception {
        String algorithm = transformation.replaceAll("[/-].*", "");
        SecretKeySpec key = new SecretKeySpec(Arrays.copyOf(BYTES, algorithm.equals("AES") ? 16 : 32), algorithm);
        Cipher cipher = Cipher.getInstance(transformation);
        byte[] nonce = new byte[nonceLength];
        return () -> {
            RANDOM.nextBytes(nonce);
            boolean authenticated = transformation.contains("GCM");
            cipher.init(Cipher.ENCRYPT_MODE, key, authenticated ? new GCMParameterSpec(128, nonce) : new IvParameterSpec(nonce));
            sink = cipher.doFinal(BYTES);
        };
    }

    private static void compressAndInflate() {
        StringBuilder text = new StringBuilder(LATIN);
        for (int i = 0; i < 20; i++) {
            char[] chars = LATIN.toCharArray();
            sink = new String(chars, i, SIZE - i);
            text.setLength(SIZE - i);
            text.append(WIDE, 0, i);
            sink = text.toString();
            number = LATIN.chars().sum();
        }
    }

    private static void encode() {
        for (int i = 0; i < 20; i++) {
            byte[] bytes = LATIN.getBytes(StandardCharsets.UTF_8);
            sink = new String(bytes, i, SIZE - i, StandardCharsets.UTF_8);
            sink = WIDE.getBytes(StandardCharsets.UTF_8);
            sink = LATIN.getBytes(StandardCharsets.ISO_8859_1);
        }
    }

    private static void search() {
        for (int i = 0; i < 50; i++) {
            number += LATIN.indexOf("wa!") + LATIN.indexOf('!') + WIDE.indexOf("\u0430!") + LATIN.indexOf("uvwab", i);
        }
    }

    private static void compare(String latin, String wide) {
        for (int i = 0; i < 50; i++) {
            number += latin.compareTo(LATIN) + wide.compareTo(WIDE) + latin.compareTo(WIDE);
            if (latin.equals(LATIN) && wide.equals(WIDE)) number++;
        }
    }

    private static void hash() {
        int[] ints = new int[SIZE];
        for (int i = 0; i < 50; i++) {
            BYTES[0] = (byte) i;
            ints[i] = i;
            number += Arrays.hashCode(BYTES) + Arrays.hashCode(ints) + new String(BYTES, StandardCharsets.ISO_8859_1).hashCode();
        }
    }

    private static void compareArrays() {
        byte[] bytes = BYTES.clone();
        long[] longs = new long[SIZE], others = new long[SIZE];
        for (int i = 0; i < 50; i++) {
            others[SIZE - 1] = i;
            if (Arrays.equals(bytes, BYTES) && Arrays.equals(longs, others)) number++;
        }
    }

    private static void sort() {
        int[] ints = RANDOM.ints(SIZE).toArray();
        double[] doubles = RANDOM.doubles(SIZE).toArray();
        long[] longs = RANDOM.longs(SIZE).toArray();
        Arrays.sort(ints);
        Arrays.sort(doubles);
        Arrays.sort(longs);
        sink = ints;
    }

    private static void sortObjects() {
        String[] texts = new String[SIZE / 4];
        for (int i = 0; i < texts.length; i++) texts[i] = "some text " + RANDOM.nextInt();
        Arrays.sort(texts);
        sink = texts;
    }

    private static void multiply() {
        BigInteger one = new BigInteger(1024, RANDOM), other = new BigInteger(1024, RANDOM);
        for (int i = 0; i < 50; i++) {
            one = one.multiply(other).shiftRight(1000 + i).shiftLeft(7);
            other = other.multiply(other).shiftRight(1024);
        }
        sink = one.modPow(BigInteger.valueOf(65537), other.setBit(0).setBit(512));
    }

    private static void functions() {
        double x = 0.7;
        for (int i = 0; i < 200; i++) {
            x += Math.sin(x * i) + Math.cos(x) + Math.tan(x);
            x += Math.exp(-x * x) + Math.log(i + 2.0) + Math.log10(i + 3.0) + Math.pow(1.0 + i, 0.3);
        }
        number = x;
    }

    private static void base64() {
        byte[] encoded = Base64.getEncoder().encode(BYTES);
        sink = Base64.getDecoder().decode(encoded);
    }

    private static void format() {
        sink = String.format(Locale.ROOT, "%s %d %08.3f %x", "text", RANDOM.nextInt(), RANDOM.nextDouble(), 77);
    }

    private interface Maker { Work make() throws Exception; }

    private static Map<String, Maker> kinds() {
        Map<String, Maker> kinds = new LinkedHashMap<>();
        kinds.put("arraycopy", () -> Intrinsics::copyPrimitives);
        kinds.put("checkcast arraycopy", () -> Intrinsics::copyObjects);
        kinds.put("generic arraycopy", () -> () -> {
            copyAny(BYTES, TO_BYTES);
            copyAny(new long[SIZE], new long[SIZE]);
            copyAny(new Integer[SIZE], new Object[SIZE]);
        });
        kinds.put("clone and fill", () -> Intrinsics::cloneAndFill);
        kinds.put("CRC32", () -> checksum(new CRC32()));
        kinds.put("CRC32C", () -> checksum((Checksum) Class.forName("java.util.zip.CRC32C").getConstructor().newInstance()));
        kinds.put("Adler32", () -> checksum(new Adler32()));
        for (String algorithm : new String[] {"MD5", "SHA-1", "SHA-256", "SHA-512", "SHA3-256"})
            kinds.put(algorithm, () -> digest(algorithm));
        kinds.put("AES/GCM", () -> cipher("AES/GCM/NoPadding", 12));
        kinds.put("AES/CBC", () -> cipher("AES/CBC/PKCS5Padding", 16));
        kinds.put("AES/CTR", () -> cipher("AES/CTR/NoPadding", 16));
        kinds.put("ChaCha20", () -> cipher("ChaCha20-Poly1305", 12));
        kinds.put("compress and inflate", () -> Intrinsics::compressAndInflate);
        kinds.put("encode", () -> Intrinsics::encode);
        kinds.put("indexOf", () -> Intrinsics::search);
        kinds.put("compareTo", () -> () -> compare(new String(LATIN), new String(WIDE)));
        kinds.put("hashCode", () -> Intrinsics::hash);
        kinds.put("array equals", () -> Intrinsics::compareArrays);
        kinds.put("sort", () -> Intrinsics::sort);
        kinds.put("sort objects", () -> Intrinsics::sortObjects);
        kinds.put("BigInteger", () -> Intrinsics::multiply);
        kinds.put("Math", () -> Intrinsics::functions);
        kinds.put("Base64", () -> Intrinsics::base64);
        kinds.put("format", () -> Intrinsics::format);
        return kinds;
    }

    private static void repeat(Work work, long nanos) {
        long end = CLOCK.getCurrentThreadCpuTime() + nanos;
        try {
            while (CLOCK.getCurrentThreadCpuTime() < end) work.run();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static void waitForLine() throws java.io.IOException {
        while (System.in.read() != '\n') { }
    }

    public static void main(String[] args) throws Exception {
        RANDOM.nextBytes(BYTES);
        Map<String, Work> works = new LinkedHashMap<>();
        for (Map.Entry<String, Maker> kind : kinds().entrySet()) {
            if (args.length > 1 && !kind.getKey().equals(args[1])) continue;
            try {
                works.put(kind.getKey(), kind.getValue().make());
            } catch (ReflectiveOperationException | java.security.GeneralSecurityException e) {
                continue; // this JDK does not have it
            }
        }
        for (Work work : works.values()) runOnThread("warm-up", work, WARM_UP_NS);
        System.out.println("ready");
        waitForLine();
        for (Map.Entry<String, Work> kind : works.entrySet()) {
            runOnThread(kind.getKey(), kind.getValue(), TimeUnit.SECONDS.toNanos(Long.parseLong(args[0])));
            System.out.println("kind " + kind.getKey());
        }
        System.out.println("done");
        waitForLine();
    }

    private static void runOnThread(String name, Work work, long nanos) throws InterruptedException {
        Thread thread = new Thread(() -> repeat(work, nanos), name);
        thread.start();
        thread.join();
    }
}
