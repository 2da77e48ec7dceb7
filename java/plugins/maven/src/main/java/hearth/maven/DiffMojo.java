package hearth.maven;

import java.io.IOException;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;

/**
 * Compares the profile of this build with the stored base, each change with its sampling error: writes
 * {@code target/hearth/diff.html} and prints the largest changes.
 */
@Mojo(name = "diff", defaultPhase = LifecyclePhase.VERIFY, threadSafe = true)
public final class DiffMojo extends ComparingMojo {
    @Override
    void compare() throws IOException, MojoExecutionException {
        needBase();
        info(report().compare(base.toPath(), diffOptions).text());
        getLog().info("Difference: " + folder().difference());
    }
}
