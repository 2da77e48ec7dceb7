import java.lang.instrument.ClassDefinition;
import java.lang.instrument.Instrumentation;

/** Replaces a class while its code is running. Also the Java agent that gets the instrumentation for that. */
public final class Redefinitions implements Soak.Activity {
    private static final int FIRST = 1_234_567, SECOND = 7_654_321;
    private static volatile Instrumentation instrumentation;
    private final byte[][] versions = new byte[2][];
    private int round;

    static final class Redefined {
        static int number() { return FIRST; }

        static int often() {
            int sum = 0;
            for (int i = 0; i < 20_000; i++) sum ^= number() + i;
            return sum;
        }
    }

    public static void premain(String options, Instrumentation given) {
        instrumentation = given;
    }

    Redefinitions() throws java.io.IOException {
        versions[0] = Copies.bytes("Redefinitions$Redefined");
        versions[1] = withNumber(versions[0].clone(), SECOND);
        Thread user = new Thread(() -> {
            while (true) Redefined.often();
        }, "redefined");
        user.setDaemon(true);
        user.start();
    }

    /** In the constant pool an int is its tag, 3, and four bytes, the highest first. */
    private static byte[] withNumber(byte[] code, int number) {
        for (int i = 0; i + 4 < code.length; i++) {
            java.nio.ByteBuffer entry = java.nio.ByteBuffer.wrap(code, i, 5);
            if (entry.get() == 3 && entry.getInt() == FIRST) {
                java.nio.ByteBuffer.wrap(code, i + 1, 4).putInt(number);
                return code;
            }
        }
        throw new IllegalStateException("no number in Redefined");
    }

    @Override
    public void round() throws Exception {
        int version = ++round & 1;
        instrumentation.redefineClasses(new ClassDefinition(Redefined.class, versions[version]));
        Soak.check(Redefined.number() == (version == 0 ? FIRST : SECOND), "the number of the new code");
        Thread.sleep(5);
    }
}
