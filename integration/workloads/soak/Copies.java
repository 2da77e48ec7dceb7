import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;

/** Defines the classes with names that begin with "Copied" again; everything else comes from the application's loader. */
final class Copies extends ClassLoader {
    Copies() {
        super(Copies.class.getClassLoader());
    }

    static byte[] bytes(String name) throws IOException {
        try (InputStream in = Copies.class.getResourceAsStream(name + ".class")) {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            byte[] part = new byte[4096];
            for (int length; (length = in.read(part)) > 0; ) out.write(part, 0, length);
            return out.toByteArray();
        }
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!name.startsWith("Copied")) return super.loadClass(name, resolve);
        synchronized (getClassLoadingLock(name)) {
            Class<?> known = findLoadedClass(name);
            if (known != null) return known;
            try {
                byte[] content = bytes(name);
                return defineClass(name, content, 0, content.length);
            } catch (IOException error) {
                throw new ClassNotFoundException(name, error);
            }
        }
    }

    /** The operation of a copy of CopiedShapes of its own. */
    static java.util.function.IntUnaryOperator shapes() throws Exception {
        return (java.util.function.IntUnaryOperator) new Copies().loadClass("CopiedShapes").getDeclaredConstructor().newInstance();
    }
}
