import one.profiler.Recording;
import one.profiler.Span;

/** Reports spans by async-profiler's API until it reads a line, whether hearth is there or not. Prints the state of recordings at the end. */
public class Spanned {
    static volatile long sink;

    public static void main(String[] arguments) throws Exception {
        System.out.println("ready " + Recording.state());
        while (System.in.available() == 0) {
            long span = Span.start();
            long until = System.nanoTime() + 20_000_000;
            while (System.nanoTime() < until) sink += until;
            Span.endIfProfiled(span, "busy");
            Span.end(Span.start(), "short");
        }
        System.out.println("state " + Recording.state());
    }
}
