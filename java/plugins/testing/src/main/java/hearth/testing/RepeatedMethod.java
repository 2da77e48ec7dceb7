package hearth.testing;

import hearth.AllocationBudget;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;

/** A test method as the operation of a budget. Allocates nothing itself once the JVM has compiled the call. */
public final class RepeatedMethod implements AllocationBudget.Operation {
    private final Method method;
    private final Object instance;
    private final Object[] arguments;

    /** A call of the method; the instance is null for a static one. */
    public RepeatedMethod(Method method, Object instance, Object... arguments) {
        this.method = method;
        this.instance = instance;
        this.arguments = arguments;
        method.setAccessible(true);
    }

    /** Passes on the exception of the method. */
    @Override
    public void run() throws Exception {
        try {
            method.invoke(instance, arguments);
        } catch (InvocationTargetException thrown) {
            Throwable cause = thrown.getCause();
            if (cause instanceof Error) throw (Error) cause;
            if (cause instanceof Exception) throw (Exception) cause;
            throw thrown;
        }
    }
}
