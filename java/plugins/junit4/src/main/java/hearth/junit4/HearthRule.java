package hearth.junit4;

import hearth.testing.BudgetSettings;
import hearth.testing.ProfileSettings;
import hearth.testing.RepeatedMethod;
import hearth.testing.TestProfile;
import java.lang.annotation.Annotation;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;
import org.junit.internal.runners.statements.InvokeMethod;
import org.junit.internal.runners.statements.RunAfters;
import org.junit.internal.runners.statements.RunBefores;
import org.junit.rules.MethodRule;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.model.FrameworkMethod;
import org.junit.runners.model.Statement;
import org.junit.runners.model.TestClass;

/**
 * Acts on {@link Profiled} and {@link AllocatesAtMost} of a test's method or class:
 *
 * <pre>{@code
 * @Rule
 * public final HearthRule hearth = new HearthRule();
 * }</pre>
 *
 * <p>A test with a budget cannot have {@code expected} or {@code timeout}, and no other rule may be between this one and
 * the test. JUnit puts rules of this kind (MethodRule) inside of those of the kind TestRule. Thread safe.
 */
public final class HearthRule implements MethodRule {
    // How often a test ran, of classes whose tests run with several parameters.
    private static final ConcurrentHashMap<String, Integer> RUNS = new ConcurrentHashMap<>();

    /** A rule without settings of its own. */
    public HearthRule() {}

    @Override
    public Statement apply(Statement base, FrameworkMethod method, Object test) {
        Profiled profiled = annotation(method, test, Profiled.class);
        AllocatesAtMost limit = annotation(method, test, AllocatesAtMost.class);
        if (profiled == null && limit == null) return base;
        String run = runOf(method, test);
        Statement inner = limit == null ? base : new Budget(base, method, test, limit, run);
        return profiled == null ? inner : new Profile(inner, method, test, profiled, run);
    }

    private static <A extends Annotation> A annotation(FrameworkMethod method, Object test, Class<A> type) {
        A own = method.getAnnotation(type);
        return own != null ? own : test.getClass().getAnnotation(type);
    }

    // "[2]", or "" of a test without parameters and of its first ones.
    private static String runOf(FrameworkMethod method, Object test) {
        RunWith runner = test.getClass().getAnnotation(RunWith.class);
        if (runner == null || !Parameterized.class.isAssignableFrom(runner.value())) return "";
        return "[" + RUNS.merge(name(method, test), 1, Integer::sum) + "]";
    }

    private static String name(FrameworkMethod method, Object test) {
        return test.getClass().getName() + "." + method.getName();
    }

    private static IllegalArgumentException ofClass(String what, String remedy) {
        return new IllegalArgumentException(what + " of a class is one for all of its tests; " + remedy + ", or annotate the method");
    }

    private static final class Profile extends Statement {
        private final Statement inner;
        private final Object test;
        private final String name;
        private final Profiled profiled;
        private final boolean isOfMethod;

        Profile(Statement inner, FrameworkMethod method, Object test, Profiled profiled, String run) {
            this.inner = inner;
            this.test = test;
            this.name = name(method, test) + run;
            this.profiled = profiled;
            this.isOfMethod = method.getAnnotation(Profiled.class) != null;
        }

        @Override
        public void evaluate() throws Throwable {
            ProfileSettings settings = new ProfileSettings(
                profiled.event(), profiled.interval(), profiled.format(), profiled.file(), profiled.options());
            if (settings.namesFile() && !isOfMethod) throw ofClass("@Profiled(file = \"" + profiled.file() + "\")", "give format = \"...\"");
            TestProfile profile = TestProfile.begin(settings, test.getClass(), name);
            try {
                inner.evaluate();
            } finally {
                System.out.println(profile.end());
            }
        }
    }

    private static final class Budget extends Statement {
        private final Statement base;
        private final FrameworkMethod method;
        private final Object test;
        private final AllocatesAtMost limit;
        private final String run;

        Budget(Statement base, FrameworkMethod method, Object test, AllocatesAtMost limit, String run) {
            this.base = base;
            this.method = method;
            this.test = test;
            this.limit = limit;
            this.run = run;
        }

        @Override
        public void evaluate() throws Throwable {
            boolean isNamed = !limit.name().isEmpty();
            if (isNamed && method.getAnnotation(AllocatesAtMost.class) == null) {
                throw ofClass("@AllocatesAtMost(name = \"" + limit.name() + "\")", "leave out the name");
            }
            requireTestAlone();
            BudgetSettings settings = new BudgetSettings(limit.value(), limit.objects(), limit.ratchet(), limit.tolerance(), limit.rounds());
            RepeatedMethod operation = new RepeatedMethod(method.getMethod(), test);
            String name = (isNamed ? limit.name() : name(method, test)) + run;
            Statement check = new Statement() {
                @Override
                public void evaluate() {
                    settings.check(name, operation);
                }
            };
            TestClass type = new TestClass(test.getClass());
            Statement begun = new RunBefores(check, type.getAnnotatedMethods(Before.class), test);
            new RunAfters(begun, type.getAnnotatedMethods(After.class), test).evaluate();
        }

        // JUnit's statement runs the test once, with Before and After, and cannot be asked to run the test alone.
        // Refuses settings that running these in its place would leave out.
        private void requireTestAlone() {
            Test settings = method.getAnnotation(Test.class);
            if (settings != null && (settings.timeout() > 0 || settings.expected() != Test.None.class)) {
                throw new IllegalStateException("@AllocatesAtMost cannot check a test with expected or timeout; assert them inside of the test");
            }
            String inner = base.getClass().getName();
            if (!inner.startsWith(InvokeMethod.class.getPackage().getName() + ".")) {
                throw new IllegalStateException("@AllocatesAtMost cannot run the test alone: " + inner
                    + " is between HearthRule and the test; make it @Rule(order = Integer.MAX_VALUE), or call AllocationBudget inside of the test");
            }
        }
    }
}
