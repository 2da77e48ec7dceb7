import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.List;
import java.util.stream.Collectors;

/** Links the classes of a tree MODULE/PACKAGE/NAME.class, whose code the JVM verifies then. */
class LoadAll {
  public static void main(String[] args) throws Exception {
    Path tree = Paths.get(args[0]);
    List<Path> files;
    try (var found = Files.walk(tree)) {
      files = found.filter(file -> file.toString().endsWith(".class")).collect(Collectors.toList());
    }
    int linked = 0;
    for (Path file : files) {
      Path relative = tree.relativize(file);
      String path = relative.subpath(1, relative.getNameCount()).toString();
      String name = path.substring(0, path.length() - ".class".length()).replace('/', '.');
      try {
        Class.forName(name, false, ClassLoader.getSystemClassLoader()).getDeclaredMethods();
        linked++;
      } catch (VerifyError | ClassFormatError error) {
        System.out.println(name + ": " + error);
        System.exit(1);
      } catch (ClassNotFoundException | LinkageError error) {
        // A class for another module, which is not in this JVM.
      }
    }
    System.out.println("linked " + linked + " of " + files.size() + " classes");
    if (linked * 100 < files.size() * 98) System.exit(1);
  }
}
