package hearth.maven;

import java.io.IOException;
import java.util.Properties;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;

/**
 * Lets the JVMs of Surefire and Failsafe record themselves: adds the agent to the property {@code argLine}. A POM that
 * configures argLine itself has to contain the property, as {@code @{argLine} -Xmx1g}. Each JVM writes
 * {@code target/hearth/test-PID.pb.gz} when it ends.
 */
@Mojo(name = "agent", defaultPhase = LifecyclePhase.INITIALIZE, threadSafe = true)
public final class AgentMojo extends RecordingMojo {
    private static final String AGENT = "libhearth.so=";

    /** Name of the property; Tycho needs {@code tycho.testArgLine}. */
    @Parameter(property = "hearth.propertyName", defaultValue = "argLine")
    private String propertyName;

    @Override
    void run() throws IOException {
        Properties properties = project.getProperties();
        String given = properties.getProperty(propertyName, "");
        if (project.getPackaging().equals("pom") || given.contains(AGENT)) return;
        String option = jvmOption("test");
        if (option == null) return;
        String word = option.matches(".*\\s.*") ? '"' + option + '"' : option;
        properties.setProperty(propertyName, given.isEmpty() ? word : word + " " + given);
        getLog().info(propertyName + " set to " + properties.getProperty(propertyName));
    }
}
