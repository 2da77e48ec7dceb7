/** hearth for JUnit 5: {@link hearth.junit.Profiled} and {@link hearth.junit.AllocatesAtMost}. */
package hearth.junit;
