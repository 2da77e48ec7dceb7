package hearth.maven;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;

/**
 * Merges the recordings of all JVMs into {@code target/hearth/profile.pb.gz}, writes it as a flame graph,
 * {@code target/hearth/profile.html}, and prints the hottest methods.
 */
@Mojo(name = "report", defaultPhase = LifecyclePhase.VERIFY, threadSafe = true)
public class ReportMojo extends HearthMojo {
    /** Formats of the report, separated by commas: {@code html}, {@code jfr}, {@code otlp}, {@code collapsed}, {@code txt}; pprof is always written. */
    @Parameter(property = "hearth.formats", defaultValue = "html")
    private String formats;

    /** Options of {@code hearth convert} for the report, separated by blanks: {@code --simple --exclude org/junit*}. */
    @Parameter(property = "hearth.reportOptions")
    private String reportOptions;

    @Override
    final void run() throws IOException {
        List<Path> written = report().write(formats, reportOptions);
        if (!written.isEmpty()) {
            info(report().text());
            getLog().info("Profile: " + written.get(0));
        } else if (!project.getPackaging().equals("pom")) {
            getLog().warn("no JVM wrote a profile into " + folder().path()
                + "; did tests run, and does an argLine in the POM contain @{argLine}?");
        }
    }
}
