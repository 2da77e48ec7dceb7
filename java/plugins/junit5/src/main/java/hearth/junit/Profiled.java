package hearth.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Profiles a test, or each test of a class:
 *
 * <pre>{@code
 * @Test
 * @Profiled(event = "cpu", interval = "1ms")
 * void sumsOrders() { ... }
 * }</pre>
 *
 * <p>The profile is written to {@code target/hearth/CLASS.METHOD.html} (Maven) or {@code build/hearth/CLASS.METHOD.html}
 * (Gradle), or into the folder that the system property {@code hearth.output-dir} names; its path is printed and is a
 * report entry of the test. It has the work of all threads of the JVM while the test method runs, without {@code
 * BeforeEach} and {@code AfterEach}. A file of the same name is replaced.
 *
 * <p>A wrong setting fails the test, with the agent's own words. Where the JVM cannot be profiled, for example on
 * another system than Linux, the test runs without, and the reason is printed.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE, ElementType.ANNOTATION_TYPE})
@ExtendWith(HearthExtension.class)
public @interface Profiled {
    /** Event, or several: {@code cpu}, {@code wall}, {@code alloc}, {@code lock}, {@code cpu,alloc}. */
    String event() default "cpu";

    /** Interval between two samples: {@code 1ms}; of {@code alloc} bytes, as {@code 64k}. "" is the event's default. */
    String interval() default "";

    /** {@code flamegraph} (the default), {@code pprof}, {@code jfr}, {@code otlp}, {@code collapsed} or {@code flat}. */
    String format() default "";

    /** File to write, for a method only; a relative one is in the folder of profiles. Its extension selects the format. */
    String file() default "";

    /** Further options of the agent, with commas: {@code threads,exclude=*.park}. */
    String options() default "";
}
