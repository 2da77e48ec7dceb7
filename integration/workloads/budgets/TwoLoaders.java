import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;

/** Budgets twice, each with hearth's classes in a class loader of its own. Ends with how many agents are mapped. */
public class TwoLoaders {
    public static void main(String[] arguments) throws Exception {
        List<URL> places = new ArrayList<>();
        for (String place : System.getProperty("java.class.path").split(File.pathSeparator)) places.add(new File(place).toURI().toURL());
        budgets(places, arguments);
        System.out.println("second loader");
        budgets(places, arguments);
        System.out.println(agents() + " agents");
    }

    private static void budgets(List<URL> places, String[] arguments) throws Exception {
        ClassLoader loader = new URLClassLoader(places.toArray(new URL[0]), TwoLoaders.class.getClassLoader().getParent());
        Class.forName("Budgets", true, loader).getMethod("main", String[].class).invoke(null, (Object) arguments);
    }

    private static long agents() throws Exception {
        return Files.readAllLines(Paths.get("/proc/self/maps")).stream().filter(line -> line.endsWith("libhearth.so"))
            .map(line -> line.substring(line.indexOf('/'))).distinct().count();
    }
}
