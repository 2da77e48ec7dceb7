package hearth.gradle;

import hearth.build.ProfileFolder;
import java.io.File;
import java.io.IOException;
import org.gradle.api.DefaultTask;
import org.gradle.api.tasks.TaskAction;

/** Deletes the recordings of earlier builds, before the first JVM of this one. */
public class PrepareTask extends DefaultTask {
    private File directory;

    final void configure(File folder) {
        directory = folder;
    }

    /** Run by Gradle. */
    @TaskAction
    public void prepare() throws IOException {
        new ProfileFolder(directory.toPath()).prepare(System.currentTimeMillis());
    }
}
