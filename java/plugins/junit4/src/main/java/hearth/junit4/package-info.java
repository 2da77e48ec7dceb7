/** hearth for JUnit 4: {@link hearth.junit4.HearthRule}. */
package hearth.junit4;
