/** hearth for Spring Boot: the endpoint {@code /actuator/hearth}, routes as labels, the always-on store. */
package hearth.spring;
