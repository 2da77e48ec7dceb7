package hearth.maven;

import hearth.build.BuildReport;
import java.io.IOException;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;

/**
 * Fails the build if a method grew against the stored base by more than is allowed and by more than the sampling error;
 * writes {@code target/hearth/diff.html} in any case.
 */
@Mojo(name = "check", defaultPhase = LifecyclePhase.VERIFY, threadSafe = true)
public final class CheckMojo extends ComparingMojo {
    /**
     * Allowed growth of a method: percentage points of the profile's total, with {@code --absolute} among the
     * diffOptions percent of the total before.
     */
    @Parameter(property = "hearth.failAbove", defaultValue = "5")
    private double failAbove;

    @Override
    void compare() throws IOException, MojoExecutionException, MojoFailureException {
        needBase();
        BuildReport.Growth growth = report().check(base.toPath(), diffOptions, failAbove);
        if (growth.grew()) throw new MojoFailureException(growth.text() + "; see " + folder().difference());
        info(growth.text());
        getLog().info("Nothing grew by more than " + failAbove + " % and the sampling error: " + folder().difference());
    }
}
