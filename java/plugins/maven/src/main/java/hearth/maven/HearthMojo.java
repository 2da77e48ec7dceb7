package hearth.maven;

import hearth.build.BuildReport;
import hearth.build.ProfileFolder;
import java.io.File;
import java.io.IOException;
import org.apache.maven.execution.MavenSession;
import org.apache.maven.plugin.AbstractMojo;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugins.annotations.Parameter;
import org.apache.maven.project.MavenProject;

/** Base of all goals: the folder of profiles, {@code hearth.skip}, and how errors end the build. */
abstract class HearthMojo extends AbstractMojo {
    @Parameter(defaultValue = "${project}", readonly = true, required = true)
    MavenProject project;

    @Parameter(defaultValue = "${session}", readonly = true, required = true)
    MavenSession session;

    /** Folder of the profiles. */
    @Parameter(property = "hearth.directory", defaultValue = "${project.build.directory}/hearth")
    private File directory;

    /** Does nothing if true. */
    @Parameter(property = "hearth.skip", defaultValue = "false")
    private boolean skip;

    @Override
    public final void execute() throws MojoExecutionException, MojoFailureException {
        if (skip) {
            getLog().info("hearth is skipped");
            return;
        }
        try {
            run();
        } catch (IOException | IllegalArgumentException | IllegalStateException error) {
            throw new MojoExecutionException(error.getMessage(), error);
        }
    }

    abstract void run() throws IOException, MojoExecutionException, MojoFailureException;

    final ProfileFolder folder() {
        return new ProfileFolder(directory.toPath());
    }

    final BuildReport report() {
        return new BuildReport(folder());
    }

    /** For the log: each line of a text of hearth. */
    final void info(String text) {
        for (String line : text.split("\n")) getLog().info(line);
    }
}
