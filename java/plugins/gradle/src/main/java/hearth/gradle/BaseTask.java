package hearth.gradle;

import java.io.IOException;
import org.gradle.api.tasks.TaskAction;

/** Stores the profile of this build as the base of later differences. */
public class BaseTask extends ProfileTask {
    /** Run by Gradle. */
    @TaskAction
    public void store() throws IOException {
        merge();
        report().storeBase(base().toPath());
        getLogger().lifecycle("Stored as the base of differences: " + base());
    }
}
