package hearth;

import java.lang.instrument.Instrumentation;

/**
 * Runs one command of the agent when a JVM loads hearth.jar as a Java agent: {@code
 * -javaagent:hearth.jar=start,event=cpu,file=cpu.html}, {@code VirtualMachine.loadAgent}, or {@code
 * Launcher-Agent-Class: hearth.JavaAgent} in the manifest of a program's own jar. The grammar is that of {@code
 * -agentpath:libhearth.so=...}. Without a command the agent is only loaded. A command that fails is reported on the
 * standard error; the program runs on.
 */
public final class JavaAgent {
    private JavaAgent() {}

    /** Called by the JVM before the program's main method. */
    public static void premain(String command, Instrumentation ignored) {
        run(command);
    }

    /** Called by the JVM when the agent is attached, or named by Launcher-Agent-Class. */
    public static void agentmain(String command, Instrumentation ignored) {
        run(command);
    }

    private static void run(String command) {
        try {
            if (command == null || command.isEmpty()) {
                Agent.load();
                return;
            }
            String answer = Agent.execute(command);
            if (!answer.isEmpty() && !isStart(command)) System.out.print(answer);
        } catch (IllegalArgumentException | IllegalStateException error) {
            System.err.println("hearth: " + error.getMessage());
        }
    }

    // The agent is silent about a start that succeeds, as with -agentpath.
    private static boolean isStart(String command) {
        return command.equals("start") || command.startsWith("start,");
    }
}
