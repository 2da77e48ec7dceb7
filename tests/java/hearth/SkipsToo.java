package hearth;

import org.junit.internal.RealSystem;
import org.junit.internal.TextListener;
import org.junit.runner.Description;
import org.junit.runner.JUnitCore;
import org.junit.runner.notification.Failure;
import org.junit.runner.notification.RunListener;

/** JUnit's text runner, which also prints skipped tests and why: "skipped CLASS.METHOD: WHY". */
public final class SkipsToo extends RunListener {
    public static void main(String[] names) throws ClassNotFoundException {
        Class<?>[] classes = new Class<?>[names.length];
        for (int i = 0; i < names.length; i++) classes[i] = Class.forName(names[i]);
        JUnitCore core = new JUnitCore();
        core.addListener(new TextListener(new RealSystem()));
        core.addListener(new SkipsToo());
        System.exit(core.run(classes).wasSuccessful() ? 0 : 1);
    }

    @Override
    public void testAssumptionFailure(Failure failure) {
        print(failure.getDescription(), failure.getMessage());
    }

    @Override
    public void testIgnored(Description description) {
        print(description, "@Ignore");
    }

    // On a line of its own: the text runner prints a dot for each test.
    private static void print(Description test, String why) {
        System.out.println("\nskipped " + test.getTestClass().getSimpleName() + "." + test.getMethodName() + ": " + why);
    }
}
