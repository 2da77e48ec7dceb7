package hearth.maven;

import org.apache.maven.plugins.annotations.Execute;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;

/**
 * Runs the tests with the agent and writes their profile: {@code mvn hearth:profile}. The same as the goals agent and
 * report around the phase {@code test}, in a project whose POM need not name this plug-in.
 */
@Mojo(name = "profile", threadSafe = true)
@Execute(phase = LifecyclePhase.TEST, lifecycle = "hearth")
public final class ProfileMojo extends ReportMojo {}
