package hearth.spring;

import hearth.Profiler;

/** A command of the agent from values of others: a value cannot add options to those that are named here. */
final class AgentCommand {
    private final StringBuilder text;

    AgentCommand(String action) {
        text = new StringBuilder(action);
    }

    /** Adds an option, unless the value is null or empty. Throws IllegalArgumentException for control characters in it. */
    AgentCommand with(String key, String value) {
        if (value == null || value.isEmpty()) return this;
        if (value.chars().anyMatch(Character::isISOControl)) throw new IllegalArgumentException("option " + key + ": control characters are not allowed");
        return word(Profiler.option(key, value));
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
