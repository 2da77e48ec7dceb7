package hearth.maven;

import hearth.build.Recording;
import java.io.IOException;
import org.apache.maven.plugins.annotations.Parameter;

/** Goals that let JVMs record themselves. */
abstract class RecordingMojo extends HearthMojo {
    /** What to profile, such as {@code cpu}, {@code alloc}, {@code wall}, {@code lock} or {@code cpu,alloc}. */
    @Parameter(property = "hearth.event", defaultValue = "cpu")
    private String event;

    /** Time between two samples of the first event, or bytes for {@code alloc}; of CPU time 1 ms unless given. */
    @Parameter(property = "hearth.interval")
    private String interval;

    /** More options of the agent, separated by commas: {@code threads,jstackdepth=512}. */
    @Parameter(property = "hearth.options")
    private String options;

    /** Prepares the folder of profiles, and returns the option for JVMs; null, with a warning, where hearth does not run. */
    final String jvmOption(String kind) throws IOException {
        String option;
        try {
            option = new Recording(event, interval, options).jvmOption(folder().recording(kind));
        } catch (IllegalStateException elsewhere) {
            getLog().warn("nothing is profiled: " + elsewhere.getMessage());
            return null;
        }
        folder().prepare(session.getStartTime().getTime());
        return option;
    }
}
