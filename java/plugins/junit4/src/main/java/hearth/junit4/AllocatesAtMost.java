package hearth.junit4;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Fails a test, or each test of a class with a {@link HearthRule}, that allocates more than this each time it runs:
 *
 * <pre>{@code
 * @Test
 * @AllocatesAtMost("2MB")
 * public void decodes() { decoder.decode(text); }
 * }</pre>
 *
 * <p>The test method is the operation of a {@link hearth.AllocationBudget}, and its rules hold: the method runs again and
 * again, tens of thousands of times for a short one and for at least half a second, on one instance between one {@code
 * Before} and one {@code After}, until five rounds agree. It must therefore do the same work each time.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
public @interface AllocatesAtMost {
    /** Bytes: {@code 296}, {@code 1.5k}, {@code 2MB} (1024 each). "" for no such limit. */
    String value() default "";

    /** Objects; negative for no such limit. */
    long objects() default -1;

    /**
     * File with the limit of bytes by name; a relative path starts in the working directory. {@code
     * -Dhearth.update-budgets=true} adds missing entries and lowers others.
     */
    String ratchet() default "";

    /** Name of the budget, for a method only. By default {@code CLASS.METHOD}. */
    String name() default "";

    /** Percentage by which rounds may differ, and by which a test may exceed its entry in the ratchet file. */
    double tolerance() default 1;

    /** Number of rounds, or tenths of a second, after which to give up. */
    int rounds() default 100;
}
