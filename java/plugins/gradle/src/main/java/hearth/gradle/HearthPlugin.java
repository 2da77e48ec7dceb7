package hearth.gradle;

import hearth.build.ProfileFolder;
import hearth.build.Recording;
import java.io.File;
import java.util.Map;
import org.gradle.StartParameter;
import org.gradle.api.Action;
import org.gradle.api.Plugin;
import org.gradle.api.Project;
import org.gradle.api.Task;
import org.gradle.api.specs.Spec;
import org.gradle.api.tasks.JavaExec;
import org.gradle.api.tasks.TaskContainer;
import org.gradle.api.tasks.testing.Test;

/**
 * The plug-in {@code io.hearth}: with {@code -Phearth} the JVMs of Test and JavaExec tasks record themselves, and
 * hearthReport writes {@code build/hearth/profile.html} afterwards. hearthBase stores the profile, hearthDiff compares
 * with the stored one, hearthCheck fails when a method grew. Test tasks get the system properties {@code hearth.…} of
 * the command line, such as {@code -Dhearth.update-budgets=true}, in any case.
 */
public class HearthPlugin implements Plugin<Project> {
    /** Name of the extension, of the property that profiles, and of the folder. */
    private static final String NAME = "hearth";
    private static final String PREPARE = "hearthPrepare";
    private static final String REPORT = "hearthReport";

    @Override
    public void apply(Project project) {
        HearthExtension extension = project.getExtensions().create(NAME, HearthExtension.class);
        TaskContainer tasks = project.getTasks();
        tasks.create(PREPARE, PrepareTask.class, described("Deletes the profiles of the last build"));
        tasks.create(REPORT, ReportTask.class, described("Merges the profiles of all JVMs into build/hearth/profile.html"));
        tasks.create("hearthBase", BaseTask.class, described("Stores the profile as the base of later differences"));
        tasks.create("hearthDiff", DiffTask.class, described("Compares the profile with the stored base: build/hearth/diff.html"));
        tasks.create("hearthCheck", CheckTask.class, described("Fails if a method grew against the stored base"));
        project.afterEvaluate(new Configuration(extension));
    }

    private static Action<Task> described(String text) {
        return task -> {
            task.setGroup("profiling");
            task.setDescription(text);
        };
    }

    /** Configures the tasks when the build script has set the extension's values. */
    private static final class Configuration implements Action<Project> {
        private final HearthExtension extension;

        Configuration(HearthExtension extension) {
            this.extension = extension;
        }

        @Override
        public void execute(Project project) {
            StartParameter start = project.getGradle().getStartParameter();
            File folder = new File(project.getLayout().getBuildDirectory().get().getAsFile(), NAME);
            TaskContainer tasks = project.getTasks();
            tasks.withType(PrepareTask.class, task -> task.configure(folder));
            tasks.withType(ProfileTask.class, task -> task.configure(folder, extension, project.file(extension.getBase())));
            tasks.withType(Test.class, task -> passProperties(start.getSystemPropertiesArgs(), task));
            Map<String, String> given = start.getProjectProperties();
            if (!extension.isEnabled() && !given.containsKey(NAME)) return;
            Recording recording = recording(given);
            ProfileFolder profiles = new ProfileFolder(folder.toPath());
            try {
                String ofTests = recording.jvmOption(profiles.recording("test"));
                tasks.withType(Test.class, task -> record(task.jvmArgs(ofTests)));
                String ofPrograms = recording.jvmOption(profiles.recording("run"));
                tasks.withType(JavaExec.class, task -> record(task.jvmArgs(ofPrograms)));
            } catch (IllegalStateException elsewhere) {
                project.getLogger().warn("nothing is profiled: " + elsewhere.getMessage());
            }
        }

        private Recording recording(Map<String, String> given) {
            String event = given.getOrDefault(NAME, "");
            boolean isSwitch = event.isEmpty() || event.equals("true");
            return new Recording(isSwitch ? extension.getEvent() : event, given.getOrDefault("hearth.interval", extension.getInterval()),
                given.getOrDefault("hearth.options", extension.getOptions()));
        }

        private static void passProperties(Map<String, String> given, Test task) {
            given.forEach((name, value) -> {
                if (name.startsWith("hearth.")) task.systemProperty(name, value);
            });
        }
    }

    private static void record(Task task) {
        // A task that is up to date or in the cache starts no JVM.
        task.getOutputs().upToDateWhen(new Never());
        task.getOutputs().cacheIf(new Never());
        task.dependsOn(PREPARE);
        task.finalizedBy(REPORT);
        task.getProject().getTasks().withType(ProfileTask.class, after -> after.mustRunAfter(task));
    }

    private static final class Never implements Spec<Task> {
        @Override
        public boolean isSatisfiedBy(Task task) {
            return false;
        }
    }
}
