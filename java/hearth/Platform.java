package hearth;

/** The folder of the jar that has the agent and the launcher for this machine: {@code linux-x64/} or {@code linux-arm64/}. */
final class Platform {
    private Platform() {}

    /** Throws IllegalStateException on other systems. */
    static String folder() {
        return folder(System.getProperty("os.name"), System.getProperty("os.arch"));
    }

    static String folder(String system, String processor) {
        if (system.equals("Linux") && processor.equals("amd64")) return "linux-x64/";
        if (system.equals("Linux") && processor.equals("aarch64")) return "linux-arm64/";
        throw new IllegalStateException("hearth runs on Linux on x86-64 and aarch64, not on " + system + " on " + processor);
    }

    /** Message for a file that the jar lacks, such as a jar that was built for one platform. */
    static String missing(String name) {
        return "this hearth.jar holds no " + folder() + name;
    }
}
