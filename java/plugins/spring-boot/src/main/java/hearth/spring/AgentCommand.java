package hearth.spring;

/** A command of the agent from values of others: a value cannot add options to those that are named here. */
final class AgentCommand {
    private static final char COMMA_IN_VALUE = '\u001f'; // the agent reads it as a comma

    private final StringBuilder text;

    AgentCommand(String action) {
        text = new StringBuilder(action);
    }

    /** Adds an option, unless the value is null or empty. Throws IllegalArgumentException for control characters in it. */
    AgentCommand with(String key, String value) {
        if (value == null || value.isEmpty()) return this;
        if (value.chars().anyMatch(Character::isISOControl)) throw new IllegalArgumentException("option " + key + ": control characters are not allowed");
        return word(key + "=" + value.replace(',', COMMA_IN_VALUE));
    }

    AgentCommand word(String word) {
        if (!text.isEmpty()) text.append(',');
        text.append(word);
        return this;
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
