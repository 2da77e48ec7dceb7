package hearth.maven;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.maven.artifact.DependencyResolutionRequiredException;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugins.annotations.Execute;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;
import org.apache.maven.plugins.annotations.ResolutionScope;

/**
 * Compiles, runs a main class in a JVM of its own with the agent, and writes its profile: {@code mvn hearth:run
 * -Dhearth.mainClass=app.Main}. The build fails if the program ends with a status other than 0.
 */
@Mojo(name = "run", requiresDependencyResolution = ResolutionScope.RUNTIME)
@Execute(phase = LifecyclePhase.PROCESS_CLASSES)
public final class RunMojo extends RecordingMojo {
    /** The class to run. */
    @Parameter(property = "hearth.mainClass", required = true)
    private String mainClass;

    /** Arguments of the program, separated by blanks. */
    @Parameter(property = "hearth.arguments", defaultValue = "")
    private String arguments;

    /** Options of the JVM, separated by blanks. */
    @Parameter(property = "hearth.jvmArguments", defaultValue = "")
    private String jvmArguments;

    /** Formats of the report, separated by commas: {@code html}, {@code jfr}, {@code otlp}, {@code collapsed}, {@code txt}; pprof is always written. */
    @Parameter(property = "hearth.formats", defaultValue = "html")
    private String formats;

    @Override
    void run() throws IOException, MojoExecutionException, MojoFailureException {
        String option = jvmOption("run");
        List<String> command = new ArrayList<>();
        command.add(Paths.get(System.getProperty("java.home"), "bin", "java").toString());
        if (option != null) command.add(option);
        command.addAll(words(jvmArguments));
        command.addAll(Arrays.asList("-cp", classPath(), mainClass));
        command.addAll(words(arguments));
        int status = statusOf(command);
        if (status != 0) throw new MojoFailureException(mainClass + " ended with status " + status);
        List<Path> written = report().write(formats, "");
        if (written.isEmpty()) return;
        info(report().text());
        getLog().info("Profile: " + written.get(0));
    }

    private int statusOf(List<String> command) throws IOException, MojoExecutionException {
        Process process = new ProcessBuilder(command).directory(project.getBasedir()).inheritIO().start();
        try {
            return process.waitFor();
        } catch (InterruptedException interrupted) {
            process.destroy();
            Thread.currentThread().interrupt();
            throw new MojoExecutionException("interrupted while " + mainClass + " ran", interrupted);
        }
    }

    private String classPath() throws MojoExecutionException {
        try {
            return String.join(File.pathSeparator, project.getRuntimeClasspathElements());
        } catch (DependencyResolutionRequiredException error) {
            throw new MojoExecutionException(error.getMessage(), error);
        }
    }

    private static List<String> words(String text) {
        return text == null || text.trim().isEmpty() ? new ArrayList<>() : Arrays.asList(text.trim().split("\\s+"));
    }
}
