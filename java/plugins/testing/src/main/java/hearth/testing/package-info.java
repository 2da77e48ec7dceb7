/** Profiles and allocation budgets of tests, for plug-ins of test frameworks. */
package hearth.testing;
