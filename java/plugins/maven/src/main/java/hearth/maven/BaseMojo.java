package hearth.maven;

import java.io.IOException;
import org.apache.maven.plugins.annotations.Mojo;

/** Stores the profile of this build as the base of later differences: {@code mvn hearth:profile hearth:base}. */
@Mojo(name = "base", threadSafe = true)
public final class BaseMojo extends ComparingMojo {
    @Override
    void compare() throws IOException {
        report().storeBase(base.toPath());
        getLog().info("Stored as the base of differences: " + base);
    }
}
