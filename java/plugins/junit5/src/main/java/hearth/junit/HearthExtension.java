package hearth.junit;

import hearth.testing.BudgetSettings;
import hearth.testing.ProfileSettings;
import hearth.testing.RepeatedMethod;
import hearth.testing.TestProfile;
import java.io.IOException;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.BeforeTestExecutionCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.junit.platform.commons.support.AnnotationSupport;

/** Acts on {@link Profiled} and {@link AllocatesAtMost}, which register it. Without state; thread safe. */
public final class HearthExtension implements BeforeTestExecutionCallback, AfterTestExecutionCallback, InvocationInterceptor {
    private static final ExtensionContext.Namespace OWN = ExtensionContext.Namespace.create(HearthExtension.class);
    // The last part of the id of a repeated or parameterized test.
    private static final Pattern INVOCATION = Pattern.compile("\\[test-template-invocation:#(\\d+)]$");

    /** For JUnit. */
    public HearthExtension() {}

    @Override
    public void beforeTestExecution(ExtensionContext context) throws IOException {
        Optional<Profiled> wanted = annotation(context, Profiled.class);
        if (!wanted.isPresent()) return;
        Profiled profiled = wanted.get();
        ProfileSettings settings = new ProfileSettings(
            profiled.event(), profiled.interval(), profiled.format(), profiled.file(), profiled.options());
        if (settings.namesFile() && !isOfMethod(context, Profiled.class)) {
            throw new IllegalArgumentException("@Profiled(file = \"" + profiled.file() + "\") of a class names one file for all of its tests; "
                + "give format = \"...\", or annotate the method");
        }
        context.getStore(OWN).put(TestProfile.class, TestProfile.begin(settings, context.getRequiredTestClass(), name(context)));
    }

    @Override
    public void afterTestExecution(ExtensionContext context) throws IOException {
        TestProfile profile = context.getStore(OWN).remove(TestProfile.class, TestProfile.class);
        if (profile == null) return;
        String line = profile.end();
        context.publishReportEntry("hearth", line);
        System.out.println(line);
    }

    @Override
    public void interceptTestMethod(Invocation<Void> invocation, ReflectiveInvocationContext<Method> test, ExtensionContext context)
        throws Throwable {
        intercept(invocation, test, context);
    }

    @Override
    public void interceptTestTemplateMethod(
        Invocation<Void> invocation, ReflectiveInvocationContext<Method> test, ExtensionContext context) throws Throwable {
        intercept(invocation, test, context);
    }

    private static void intercept(Invocation<Void> invocation, ReflectiveInvocationContext<Method> test, ExtensionContext context)
        throws Throwable {
        Optional<AllocatesAtMost> wanted = annotation(context, AllocatesAtMost.class);
        if (!wanted.isPresent()) {
            invocation.proceed();
            return;
        }
        AllocatesAtMost limit = wanted.get();
        boolean isNamed = !limit.name().isEmpty();
        if (isNamed && !isOfMethod(context, AllocatesAtMost.class)) {
            throw new IllegalArgumentException("@AllocatesAtMost(name = \"" + limit.name()
                + "\") of a class names one budget for all of its tests; leave out the name, or annotate the method");
        }
        BudgetSettings settings = new BudgetSettings(limit.value(), limit.objects(), limit.ratchet(), limit.tolerance(), limit.rounds());
        RepeatedMethod operation = new RepeatedMethod(test.getExecutable(), test.getTarget().orElse(null), test.getArguments().toArray());
        invocation.skip(); // JUnit lets an invocation proceed once only
        settings.check(isNamed ? limit.name() + invocationOf(context) : name(context), operation);
    }

    private static String name(ExtensionContext context) {
        return context.getRequiredTestClass().getName() + "." + context.getRequiredTestMethod().getName() + invocationOf(context);
    }

    // "[2]", or "" of a test that is no repeated one.
    private static String invocationOf(ExtensionContext context) {
        Matcher number = INVOCATION.matcher(context.getUniqueId());
        return number.find() ? "[" + number.group(1) + "]" : "";
    }

    private static <A extends Annotation> boolean isOfMethod(ExtensionContext context, Class<A> type) {
        return AnnotationSupport.isAnnotated(context.getTestMethod(), type);
    }

    // Of the method, else of its class, else of the classes around a nested one.
    private static <A extends Annotation> Optional<A> annotation(ExtensionContext context, Class<A> type) {
        Optional<A> found = AnnotationSupport.findAnnotation(context.getTestMethod(), type);
        for (Class<?> test = context.getRequiredTestClass(); !found.isPresent() && test != null; test = test.getEnclosingClass()) {
            found = AnnotationSupport.findAnnotation(test, type);
        }
        return found;
    }
}
