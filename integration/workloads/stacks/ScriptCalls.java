import com.caoccao.javet.interop.V8Host;
import com.caoccao.javet.interop.V8Runtime;
import com.caoccao.javet.annotations.V8Function;
import com.caoccao.javet.values.reference.V8ValueObject;

/** A script in V8 that calls Java again and again. Prints "ready", and works until it is killed. */
public class ScriptCalls {
    private static volatile double sink;

    @V8Function
    public double step(double value) {
        double sum = value;
        for (int i = 1; i < 3_000; i++) sum += Math.sqrt(i * sum);
        sink = sum;
        return sum % 1_000;
    }

    public static void main(String[] args) throws Exception {
        Thread.currentThread().setName("scriptcalls");
        try (V8Runtime engine = V8Host.getV8Instance().createV8Runtime(); V8ValueObject java = engine.createV8ValueObject()) {
            engine.getGlobalObject().set("java", java);
            java.bind(new ScriptCalls());
            engine.getExecutor("function inner(n) { let s = 0; for (let i = 0; i < n; i++) s += java.step(i); return s; }\n"
                + "function outer(n) { let t = 0; for (let i = 0; i < 20; i++) t += inner(n); return t; }").executeVoid();
            System.out.println("ready");
            for (;;) engine.getExecutor("outer(100)").executeDouble();
        }
    }
}
