package hearth;

/** A JVM that takes commands, near or far. Thread safe. */
interface Target {
    /**
     * Runs one command, in the grammar of {@code -agentpath:libhearth.so=...}.
     *
     * @return a message or a text in UTF-8, or what the command makes: a profile
     * @throws IllegalArgumentException when the command is wrong
     * @throws IllegalStateException when it cannot be followed now, or the JVM cannot be reached
     */
    byte[] execute(String command);

    /** What a profile is stopped as for a file of text. */
    default String textFormat() {
        return "traces,flat";
    }
}
