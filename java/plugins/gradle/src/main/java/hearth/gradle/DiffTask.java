package hearth.gradle;

import java.io.IOException;
import org.gradle.api.tasks.TaskAction;

/** Compares the profile of this build with the stored base and prints the largest changes. */
public class DiffTask extends ProfileTask {
    /** Run by Gradle. */
    @TaskAction
    public void compare() throws IOException {
        needBase();
        merge();
        getLogger().lifecycle(report().compare(base().toPath(), diffOptions()).text());
        getLogger().lifecycle("Difference: " + folder().difference());
    }
}
