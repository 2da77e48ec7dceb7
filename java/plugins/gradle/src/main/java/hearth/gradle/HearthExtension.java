package hearth.gradle;

/**
 * The block {@code hearth { … }} of a build script. {@code -Phearth} profiles without it, {@code -Phearth=alloc} another
 * event. Not thread safe, as build scripts are.
 */
public class HearthExtension {
    private boolean enabled;
    private String event = "cpu";
    private String interval = "";
    private String options = "";
    private String formats = "html";
    private String reportOptions = "";
    private Object base = "hearth-base.pb.gz";
    private String diffOptions = "";
    private double failAbove = 5;

    /** True: JVMs of tests and programs are profiled, also without {@code -Phearth}. Default: false. */
    public boolean isEnabled() {
        return enabled;
    }

    /** See {@link #isEnabled}. */
    public void setEnabled(boolean enabled) {
        this.enabled = enabled;
    }

    /** What to profile, such as {@code cpu} (default), {@code alloc}, {@code wall}, {@code lock} or {@code cpu,alloc}. */
    public String getEvent() {
        return event;
    }

    /** See {@link #getEvent}. */
    public void setEvent(String event) {
        this.event = event;
    }

    /** Time between two samples of the first event, or bytes for {@code alloc}; of CPU time 1 ms unless given. */
    public String getInterval() {
        return interval;
    }

    /** See {@link #getInterval}. */
    public void setInterval(String interval) {
        this.interval = interval;
    }

    /** More options of the agent, separated by commas: {@code threads,jstackdepth=512}. */
    public String getOptions() {
        return options;
    }

    /** See {@link #getOptions}. */
    public void setOptions(String options) {
        this.options = options;
    }

    /** Formats of the report, separated by commas: {@code html} (default), {@code jfr}, {@code otlp}, {@code collapsed}, {@code txt}; pprof is always written. */
    public String getFormats() {
        return formats;
    }

    /** See {@link #getFormats}. */
    public void setFormats(String formats) {
        this.formats = formats;
    }

    /** Options of {@code hearth convert} for the report, separated by blanks: {@code --simple --exclude org/junit*}. */
    public String getReportOptions() {
        return reportOptions;
    }

    /** See {@link #getReportOptions}. */
    public void setReportOptions(String reportOptions) {
        this.reportOptions = reportOptions;
    }

    /** The stored profile, or a folder of several whose differences count as chance; default: {@code hearth-base.pb.gz}. */
    public Object getBase() {
        return base;
    }

    /** See {@link #getBase}. A file, or a path relative to the project. */
    public void setBase(Object base) {
        this.base = base;
    }

    /** Options of {@code hearth diff}, separated by blanks: {@code --absolute -e alloc --include com/acme/*}. */
    public String getDiffOptions() {
        return diffOptions;
    }

    /** See {@link #getDiffOptions}. */
    public void setDiffOptions(String diffOptions) {
        this.diffOptions = diffOptions;
    }

    /**
     * Allowed growth of a method for hearthCheck: percentage points of the profile's total, with {@code --absolute} among
     * the diffOptions percent of the total before. Default: 5.
     */
    public double getFailAbove() {
        return failAbove;
    }

    /** See {@link #getFailAbove}. */
    public void setFailAbove(double failAbove) {
        this.failAbove = failAbove;
    }
}
