package hearth.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import hearth.Profiler;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;

class EndpointTest {
    private static final String EXPOSED = "management.endpoints.web.exposure.include=hearth";

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Empty {}

    private static void expect(int status, String type, String text, HttpResponse<String> answer) {
        assertEquals(status, answer.statusCode(), answer.body());
        assertTrue(answer.headers().firstValue("Content-Type").orElse("").startsWith(type), answer.headers().toString());
        assertTrue(answer.body().contains(text), answer.body());
    }

    @ParameterizedTest
    @EnumSource(value = WebApplicationType.class, names = {"SERVLET", "REACTIVE"})
    void isNotReachableUnlessExposed(WebApplicationType type) throws Exception {
        try (Application application = new Application(type, Empty.class)) {
            assertEquals(404, application.get("/actuator/hearth").statusCode());
            assertEquals(404, application.get("/actuator/hearth/profile?seconds=1").statusCode());
            assertEquals(404, application.post("/actuator/hearth/start", "{}").statusCode());
        }
        try (Application application = new Application(type, Empty.class, EXPOSED, "hearth.enabled=false")) {
            assertEquals(404, application.get("/actuator/hearth").statusCode());
        }
    }

    @ParameterizedTest
    @EnumSource(value = WebApplicationType.class, names = {"SERVLET", "REACTIVE"})
    void profiles(WebApplicationType type) throws Exception {
        try (Application application = new Application(type, Empty.class, EXPOSED)) {
            expect(200, "application/json", "\"service\":\"shop\"", application.get("/actuator/hearth"));
            expect(200, "text/html", "<title>shop", application.get("/actuator/hearth/profile?seconds=1"));
            expect(200, "text/plain", ";", application.get("/actuator/hearth/profile?seconds=1&event=wall&format=collapsed&threads=true"));
            expect(200, "application/octet-stream", "", application.get("/actuator/hearth/profile?seconds=1&event=cpu,alloc&format=pprof"));
        }
    }

    @ParameterizedTest
    @EnumSource(value = WebApplicationType.class, names = {"SERVLET", "REACTIVE"})
    void runsASession(WebApplicationType type) throws Exception {
        try (Application application = new Application(type, Empty.class, EXPOSED)) {
            expect(409, "application/json", "error", application.post("/actuator/hearth/stop", "{}"));
            expect(200, "application/json", "message", application.post("/actuator/hearth/start", "{\"event\": \"wall\"}"));
            expect(409, "application/json", "error", application.post("/actuator/hearth/start", "{\"event\": \"wall\"}"));
            expect(200, "text/plain", ";", application.get("/actuator/hearth/dump?format=collapsed"));
            expect(200, "text/html", "<title>", application.post("/actuator/hearth/stop", "{}"));
        }
    }

    @Test
    void doesNotReachSessionsOfOthers() throws Exception {
        String start = "/actuator/hearth/start", stop = "/actuator/hearth/stop";
        try (Application application = new Application(WebApplicationType.SERVLET, Empty.class, EXPOSED);
             Profiler.Session other = Profiler.here().session("session=mine,event=wall")) {
            StringBuilder numbers = new StringBuilder();
            for (int number = 0; number < 100; number++) numbers.append(application.post(stop, "{\"session\": \"" + number + "\"}").statusCode()).append(' ');
            assertEquals("409 ".repeat(100), numbers.toString());
            expect(409, "application/json", "error", application.post(stop, "{\"session\": \"mine\"}"));
            expect(409, "application/json", "error", application.get("/actuator/hearth/dump?session=mine"));
            expect(200, "application/json", "message", application.post(start, "{\"session\": \"mine\", \"event\": \"wall\"}"));
            expect(200, "text/plain", ";", application.post(stop, "{\"session\": \"mine\", \"format\": \"collapsed\"}"));
            assertTrue(other.stop("collapsed").contains(";"), "the other session still runs");
        }
    }

    @Test
    void refusesWrongRequestsAndOptionsInValues() throws Exception {
        try (Application application = new Application(WebApplicationType.SERVLET, Empty.class, EXPOSED, "hearth.longest-profile=20s")) {
            String profile = "/actuator/hearth/profile?";
            expect(400, "application/json", "write 1 to 20", application.get(profile + "seconds=21"));
            expect(400, "application/json", "write 1 to 20", application.get(profile + "seconds=0"));
            expect(400, "application/json", "format=svg", application.get(profile + "seconds=1&format=svg"));
            expect(400, "application/json", "nothing", application.get(profile + "seconds=1&event=nothing"));
            for (String value : new String[] {"event=cpu,file=/tmp/x", "interval=1ms,log=/tmp/x", "event=cpu%0A,http=0", "event=cpu%1Fhttp=0"}) {
                expect(400, "application/json", "error", application.get(profile + "seconds=1&" + value));
            }
            expect(400, "application/json", "error", application.post("/actuator/hearth/start", "{\"session\": \"x,http=0\"}"));
            expect(404, "application/json", "profile, dump", application.get("/actuator/hearth/metrics"));
            expect(404, "application/json", "start, stop", application.post("/actuator/hearth/version", "{}"));
        }
    }
}
