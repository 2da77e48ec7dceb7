package hearth;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Requests and replies of a control server: maps, lists, strings, numbers, booleans and null. */
final class Json {
    private static final int DEEPEST = 64;
    private final String text;
    private int at;
    private int depth;

    private Json(String text) {
        this.text = text;
    }

    /** Throws IllegalArgumentException if the text is not JSON. */
    static Object read(String text) {
        Json reader = new Json(text);
        Object value = reader.value();
        reader.skipBlanks();
        if (reader.at != text.length()) throw reader.wrong("its end");
        return value;
    }

    static String write(Object value) {
        StringBuilder out = new StringBuilder();
        write(value, out);
        return out.toString();
    }

    private static void write(Object value, StringBuilder out) {
        if (value instanceof Map) {
            String between = "{";
            for (Map.Entry<?, ?> entry : ((Map<?, ?>) value).entrySet()) {
                out.append(between);
                write(entry.getKey().toString(), out);
                out.append(':');
                write(entry.getValue(), out);
                between = ",";
            }
            out.append(between.equals("{") ? "{}" : "}");
        } else if (value instanceof List) {
            String between = "[";
            for (Object element : (List<?>) value) {
                out.append(between);
                write(element, out);
                between = ",";
            }
            out.append(between.equals("[") ? "[]" : "]");
        } else if (value instanceof String) {
            quote((String) value, out);
        } else {
            out.append(value);
        }
    }

    private static void quote(String value, StringBuilder out) {
        out.append('"');
        for (char c : value.toCharArray()) {
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < ' ') {
                out.append(String.format("\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        out.append('"');
    }

    private Object value() {
        skipBlanks();
        if (at == text.length()) throw wrong("a value");
        switch (text.charAt(at)) {
            case '{': return object();
            case '[': return array();
            case '"': return string();
            case 't': return word("true", true);
            case 'f': return word("false", false);
            case 'n': return word("null", null);
            default: return number();
        }
    }

    private Map<String, Object> object() {
        Map<String, Object> members = new LinkedHashMap<>();
        enter();
        while (!ends('}', members.isEmpty())) {
            skipBlanks();
            String key = string();
            skipBlanks();
            expect(':');
            members.put(key, value());
        }
        depth--;
        return members;
    }

    private List<Object> array() {
        List<Object> elements = new ArrayList<>();
        enter();
        while (!ends(']', elements.isEmpty())) elements.add(value());
        depth--;
        return elements;
    }

    private void enter() {
        if (++depth > DEEPEST) throw wrong("less nesting");
        at++;
    }

    // At the end, or past the comma before the next element.
    private boolean ends(char end, boolean isFirst) {
        skipBlanks();
        if (at < text.length() && text.charAt(at) == end) {
            at++;
            return true;
        }
        if (!isFirst) expect(',');
        return false;
    }

    private String string() {
        expect('"');
        StringBuilder out = new StringBuilder();
        while (at < text.length() && text.charAt(at) != '"') {
            char c = text.charAt(at++);
            out.append(c == '\\' ? escaped() : c);
        }
        expect('"');
        return out.toString();
    }

    private char escaped() {
        if (at == text.length()) throw wrong("an escape");
        char c = text.charAt(at++);
        int place = "bfnrt".indexOf(c);
        if (place >= 0) return "\b\f\n\r\t".charAt(place);
        if (c != 'u') return c;
        if (at + 4 > text.length()) throw wrong("four digits");
        at += 4;
        return (char) Integer.parseInt(text.substring(at - 4, at), 16);
    }

    private Object word(String word, Object value) {
        if (!text.startsWith(word, at)) throw wrong(word);
        at += word.length();
        return value;
    }

    private Number number() {
        int start = at;
        while (at < text.length() && "+-.eE0123456789".indexOf(text.charAt(at)) >= 0) at++;
        String number = text.substring(start, at);
        try {
            if (number.matches("-?\\d{1,18}")) return Long.parseLong(number);
            return Double.parseDouble(number);
        } catch (NumberFormatException error) {
            at = start;
            throw wrong("a value");
        }
    }

    private void expect(char c) {
        if (at == text.length() || text.charAt(at) != c) throw wrong("'" + c + "'");
        at++;
    }

    private void skipBlanks() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) at++;
    }

    private IllegalArgumentException wrong(String expected) {
        return new IllegalArgumentException("not JSON: expected " + expected + " at character " + at);
    }
}
