package hearth.testing;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Amounts of memory as people write them: {@code 296}, {@code 1.5k}, {@code 2MB}. */
final class ByteSize {
    private static final Pattern FORM = Pattern.compile("(\\d+(?:\\.\\d+)?) ?([kmg]?)(?:i?b|bytes)?");
    private static final long BASE = 1024; // as in the agent's options

    private ByteSize() {}

    /**
     * Bytes; a part of a byte is left out.
     *
     * @throws IllegalArgumentException when the text is no amount, or more than a long holds
     */
    static long parse(String text) {
        Matcher form = FORM.matcher(text.trim().toLowerCase(Locale.ROOT));
        if (!form.matches()) {
            throw new IllegalArgumentException("\"" + text + "\" is not an amount of memory; write bytes as 296, 1.5k, 2MB or 1g (1024 each)");
        }
        long unit = 1;
        for (int steps = "kmg".indexOf(form.group(2)); !form.group(2).isEmpty() && steps >= 0; steps--) unit *= BASE;
        BigDecimal bytes = new BigDecimal(form.group(1)).multiply(BigDecimal.valueOf(unit)).setScale(0, RoundingMode.DOWN);
        if (bytes.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) > 0) {
            throw new IllegalArgumentException("\"" + text + "\" is more than memory can be");
        }
        return bytes.longValue();
    }
}
