package hearth.spring;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.boot.context.properties.ConfigurationProperties;

/** Properties {@code hearth.*}. Those of the store have the names and the words of the agent's options. */
@ConfigurationProperties("hearth")
public class HearthProperties {
    /** Whether to configure anything of hearth. */
    private boolean enabled = true;

    /** Name of this service in profiles and at servers that they are pushed to. Default: spring.application.name. */
    private String service = "";

    /** Longest profile that a request to /actuator/hearth/profile may ask for. */
    private Duration longestProfile = Duration.ofMinutes(10);

    /** Labels of requests. */
    private final Routes routes = new Routes();

    /** Folder of the always-on store. Without one there is no store. */
    private String store = "";

    /** Length of a window of the store, as 30s. */
    private String window = "";

    /** How much disk the store may take, as 4g. */
    private String keep = "";

    /** Limit of the store's cost, in percent of a CPU, as 0.5%. */
    private String budget = "";

    /** Server to push the store's windows to, as http://pyroscope:4040. */
    private String push = "";

    /** Labels of pushed windows, in addition to the service. */
    private final Map<String, String> pushLabels = new LinkedHashMap<>();

    /** File with a bearer token for that server. */
    private String pushToken = "";

    /** File with USER:PASSWORD for that server. */
    private String pushCredentials = "";

    /** Tenant of Pyroscope that the windows belong to. */
    private String pushTenant = "";

    /** Labels of requests. */
    public static class Routes {
        /** Whether samples have the route of their request as a label. */
        private boolean enabled = true;

        /** Key of that label. */
        private String label = "endpoint";

        public boolean isEnabled() {
            return enabled;
        }

        public void setEnabled(boolean enabled) {
            this.enabled = enabled;
        }

        public String getLabel() {
            return label;
        }

        public void setLabel(String label) {
            this.label = label;
        }
    }

    public boolean isEnabled() {
        return enabled;
    }

    public void setEnabled(boolean enabled) {
        this.enabled = enabled;
    }

    public String getService() {
        return service;
    }

    public void setService(String service) {
        this.service = service;
    }

    public Duration getLongestProfile() {
        return longestProfile;
    }

    public void setLongestProfile(Duration longestProfile) {
        this.longestProfile = longestProfile;
    }

    public Routes getRoutes() {
        return routes;
    }

    public String getStore() {
        return store;
    }

    public void setStore(String store) {
        this.store = store;
    }

    public String getWindow() {
        return window;
    }

    public void setWindow(String window) {
        this.window = window;
    }

    public String getKeep() {
        return keep;
    }

    public void setKeep(String keep) {
        this.keep = keep;
    }

    public String getBudget() {
        return budget;
    }

    public void setBudget(String budget) {
        this.budget = budget;
    }

    public String getPush() {
        return push;
    }

    public void setPush(String push) {
        this.push = push;
    }

    public Map<String, String> getPushLabels() {
        return pushLabels;
    }

    public String getPushToken() {
        return pushToken;
    }

    public void setPushToken(String pushToken) {
        this.pushToken = pushToken;
    }

    public String getPushCredentials() {
        return pushCredentials;
    }

    public void setPushCredentials(String pushCredentials) {
        this.pushCredentials = pushCredentials;
    }

    public String getPushTenant() {
        return pushTenant;
    }

    public void setPushTenant(String pushTenant) {
        this.pushTenant = pushTenant;
    }
}
