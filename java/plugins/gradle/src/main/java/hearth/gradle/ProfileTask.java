package hearth.gradle;

import hearth.build.BuildReport;
import hearth.build.ProfileFolder;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.gradle.api.DefaultTask;
import org.gradle.api.GradleException;

/** Tasks that work with the folder of profiles. Their fields are set when the build script was evaluated. */
public abstract class ProfileTask extends DefaultTask {
    private File directory;
    private File stored;
    private String reportFormats;
    private String convertOptions;
    private String compareOptions;
    private double allowed;

    final void configure(File folder, HearthExtension extension, File base) {
        directory = folder;
        stored = base;
        reportFormats = extension.getFormats();
        convertOptions = extension.getReportOptions();
        compareOptions = extension.getDiffOptions();
        allowed = extension.getFailAbove();
    }

    final ProfileFolder folder() {
        return new ProfileFolder(directory.toPath());
    }

    final BuildReport report() {
        return new BuildReport(folder());
    }

    final File base() {
        return stored;
    }

    final String diffOptions() {
        return compareOptions;
    }

    final double failAbove() {
        return allowed;
    }

    final List<Path> writeReport() throws IOException {
        return report().write(reportFormats, convertOptions);
    }

    /** Merges the recordings. Throws GradleException if there are none. */
    final void merge() throws IOException {
        if (report().write("", "").isEmpty()) throw new GradleException("no JVM wrote a profile into " + folder().path() + "; run test or run with -Phearth");
    }

    final void needBase() {
        if (!stored.exists()) throw new GradleException("there is no base " + stored + "; make one with -Phearth test hearthBase");
    }
}
