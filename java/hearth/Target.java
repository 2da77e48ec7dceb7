package hearth;

/** A JVM that takes commands, local or remote. Thread safe. */
interface Target {
    /**
     * Runs one command, in the grammar of {@code -agentpath:libhearth.so=...}.
     *
     * @return a message or a text in UTF-8, or the profile that the command makes
     * @throws IllegalArgumentException when the command is wrong
     * @throws IllegalStateException when it cannot run now, or the JVM cannot be reached
     */
    byte[] execute(String command);

    /** Output format for a text file. */
    default String textFormat() {
        return "traces,flat";
    }
}
