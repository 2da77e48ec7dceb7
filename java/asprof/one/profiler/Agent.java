package one.profiler;

import java.lang.management.ManagementFactory;
import javax.management.ObjectName;

/** Entry of {@code -javaagent:async-profiler.jar=COMMAND}: registers the JMX bean, then executes the command. */
public class Agent {
  public static void premain(String command) throws Exception {
    agentmain(command);
  }

  public static void agentmain(String command) throws Exception {
    AsyncProfiler profiler = AsyncProfiler.getInstance();
    ManagementFactory.getPlatformMBeanServer().registerMBean(profiler, new ObjectName(AsyncProfilerMXBean.OBJECT_NAME));
    if (command != null && !command.isEmpty()) profiler.execute(command);
  }
}
