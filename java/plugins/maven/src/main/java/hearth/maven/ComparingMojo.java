package hearth.maven;

import java.io.File;
import java.io.IOException;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugins.annotations.Parameter;

/** Goals that need the recordings of this build and a stored base. */
abstract class ComparingMojo extends HearthMojo {
    /** The stored profile, kept with the sources; or a folder of several, whose differences count as chance. */
    @Parameter(property = "hearth.base", defaultValue = "${project.basedir}/hearth-base.pb.gz")
    File base;

    /** Options of {@code hearth diff}, separated by blanks: {@code --absolute -e alloc --include com/acme/*}. */
    @Parameter(property = "hearth.diffOptions")
    String diffOptions;

    @Override
    final void run() throws IOException, MojoExecutionException, MojoFailureException {
        if (project.getPackaging().equals("pom")) return;
        if (report().write("", "").isEmpty()) {
            throw new MojoExecutionException("no JVM wrote a profile into " + folder().path()
                + "; run the goal profile before, or the goal agent before the tests");
        }
        compare();
    }

    abstract void compare() throws IOException, MojoExecutionException, MojoFailureException;

    final void needBase() throws MojoExecutionException {
        if (!base.exists()) throw new MojoExecutionException("there is no base " + base + "; make one with the goals profile and base");
    }
}
