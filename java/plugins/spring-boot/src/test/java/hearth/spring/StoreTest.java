package hearth.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.mock.env.MockEnvironment;

class StoreTest {
    @TempDir
    Path folder;

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Empty {}

    @Test
    void runsWithTheApplication() throws Exception {
        String store = "hearth.store=" + folder.resolve("store"), exposed = "management.endpoints.web.exposure.include=hearth";
        for (int i = 0; i < 2; i++) { // again: the first has ended with its application
            try (Application application = new Application(WebApplicationType.SERVLET, Empty.class, store, exposed, "hearth.window=1s")) {
                assertTrue(application.get("/actuator/hearth").body().contains("store"), application.get("/actuator/hearth").body());
                assertTrue(Files.isDirectory(folder.resolve("store")));
            }
        }
    }

    @Test
    void refusesAWrongProperty() {
        Exception error = assertThrows(Exception.class, () -> new Application(WebApplicationType.SERVLET, Empty.class,
            "hearth.store=" + folder.resolve("other"), "hearth.window=soon").close());
        Throwable cause = error;
        while (cause.getCause() != null) cause = cause.getCause();
        assertTrue(cause.getMessage().contains("soon"), cause.getMessage());
    }

    @Test
    void pushesUnderTheNameOfTheApplication() {
        HearthProperties properties = new HearthProperties();
        properties.setStore("/var/lib/hearth");
        properties.setPush("http://pyroscope:4040");
        properties.getPushLabels().put("env", "prod");
        MockEnvironment environment = new MockEnvironment().withProperty("spring.application.name", "shop");
        String start = "start,store=/var/lib/hearth,push=http://pyroscope:4040,push-labels=service:";
        assertEquals(start + "shop;env:prod", new StoreOfApplication(properties, Service.of(properties, environment)).command());
        properties.setService("checkout");
        assertEquals(start + "checkout;env:prod", new StoreOfApplication(properties, Service.of(properties, environment)).command());
    }
}
