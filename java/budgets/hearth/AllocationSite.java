package hearth;

import java.util.regex.Pattern;

/** A place that allocates objects of one class, with their bytes and objects per operation. */
final class AllocationSite {
    private static final Pattern LINE = Pattern.compile(":\\d+$");
    // lambda$main$0, lambda$main$7f6d5e65$1 if serializable; $$Lambda$14/0x0000000800c03000; A$1, access$000; f--123,
    // user$f__123; user/eval123.
    private static final Pattern NUMBERS = Pattern.compile("(?<=lambda\\$[\\w$]{1,200}\\$)[0-9a-f]{1,8}\\$\\d+|"
        + "(?<=\\$\\$Lambda)(\\$\\d+)?([/.+]0x[0-9a-f]+)?|(?<=\\$)\\d+|(?<=__|--)\\d+|(?<=\\beval)\\d+\\b");

    final String allocated; // its class
    final String method; // the method that allocates, as the agent spells it
    final String caller; // nearest caller outside of the JDK and Clojure, or the method itself
    final double bytes;
    final double objects;

    AllocationSite(String allocated, String method, String caller, double bytes, double objects) {
        this.allocated = allocated;
        this.method = method;
        this.caller = caller;
        this.bytes = bytes;
        this.objects = objects;
    }

    /** Equal in two runs of a program even if its lines have moved. */
    String key() {
        return allocated + "\t" + withoutLine(method) + "\t" + withoutLine(caller);
    }

    /** Equal even if lambdas, inner classes or Clojure functions, which compilers number in order, were added. */
    String keyWithoutNumbers() {
        return NUMBERS.matcher(key()).replaceAll("");
    }

    /** Sum of both, with the lines of the larger. */
    static AllocationSite joined(AllocationSite one, AllocationSite other) {
        AllocationSite larger = one.bytes >= other.bytes ? one : other;
        return new AllocationSite(larger.allocated, larger.method, larger.caller, one.bytes + other.bytes,
            one.objects + other.objects);
    }

    static String withoutLine(String frame) {
        return LINE.matcher(frame).replaceAll("");
    }
}
