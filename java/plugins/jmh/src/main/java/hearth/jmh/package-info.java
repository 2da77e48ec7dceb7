/** hearth for JMH: {@link hearth.jmh.HearthProfiler}. */
package hearth.jmh;
