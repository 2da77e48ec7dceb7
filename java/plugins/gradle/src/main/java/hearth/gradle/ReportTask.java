package hearth.gradle;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.gradle.api.tasks.TaskAction;

/** Merges the recordings of all JVMs, writes the report and prints the hottest methods. */
public class ReportTask extends ProfileTask {
    /** Run by Gradle. */
    @TaskAction
    public void write() throws IOException {
        List<Path> written = writeReport();
        if (written.isEmpty()) {
            getLogger().warn("no JVM wrote a profile into " + folder().path() + "; run test or run with -Phearth");
            return;
        }
        getLogger().lifecycle(report().text());
        getLogger().lifecycle("Profile: " + written.get(0));
    }
}
