package hearth;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The command line {@code hearth} by {@code java -jar hearth.jar ARGUMENT...}: runs the launcher of the jar with the
 * same arguments, streams and exit status.
 */
public final class Main {
    private static final int FAILED = 1;

    private Main() {}

    /** Ends the JVM with the launcher's exit status. */
    public static void main(String[] arguments) throws InterruptedException {
        System.exit(run(Arrays.asList(arguments)));
    }

    private static int run(List<String> arguments) throws InterruptedException {
        try {
            List<String> command = new ArrayList<>();
            command.add(Launcher.file().toString());
            command.addAll(arguments);
            Process launcher = new ProcessBuilder(command).inheritIO().start();
            Runtime.getRuntime().addShutdownHook(new Thread(() -> end(launcher)));
            return launcher.waitFor();
        } catch (IllegalStateException | IOException error) {
            System.err.println("hearth: " + error.getMessage());
            return FAILED;
        }
    }

    // A terminal sends Ctrl-C to both processes, and the launcher stops its session. A signal to this process alone is
    // passed on as SIGTERM.
    private static void end(Process launcher) {
        try {
            if (launcher.waitFor(1, TimeUnit.SECONDS)) return;
            launcher.destroy();
            launcher.waitFor(20, TimeUnit.SECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
