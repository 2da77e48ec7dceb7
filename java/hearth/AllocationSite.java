package hearth;

import java.util.regex.Pattern;

/** A place that allocates objects of one class, and what an operation allocates there. */
final class AllocationSite {
    private static final Pattern LINE = Pattern.compile(":\\d+$");

    final String allocated; // the class
    final String method; // that allocates, as the agent spells it
    final String caller; // the nearest that belongs to no library of the JDK or of Clojure, or the method itself
    final double bytes;
    final double objects;

    AllocationSite(String allocated, String method, String caller, double bytes, double objects) {
        this.allocated = allocated;
        this.method = method;
        this.caller = caller;
        this.bytes = bytes;
        this.objects = objects;
    }

    /** The same in both runs of a program whose lines have moved. */
    String key() {
        return allocated + "\t" + withoutLine(method) + "\t" + withoutLine(caller);
    }

    static String withoutLine(String frame) {
        return LINE.matcher(frame).replaceAll("");
    }
}
