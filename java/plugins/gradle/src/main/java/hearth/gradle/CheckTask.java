package hearth.gradle;

import hearth.build.BuildReport;
import java.io.IOException;
import org.gradle.api.GradleException;
import org.gradle.api.tasks.TaskAction;

/** Fails if a method grew against the stored base by more than is allowed and by more than the sampling error. */
public class CheckTask extends ProfileTask {
    /** Run by Gradle. */
    @TaskAction
    public void check() throws IOException {
        needBase();
        merge();
        BuildReport.Growth growth = report().check(base().toPath(), diffOptions(), failAbove());
        if (growth.grew()) throw new GradleException(growth.text() + "; see " + folder().difference());
        getLogger().lifecycle("Nothing grew by more than " + failAbove() + " % and the sampling error: " + folder().difference());
    }
}
