"""The cost of a call of a traced method, below the time from which calls are samples."""
from lib.benchmarks.agents import succeed
from lib.benchmarks.score_table import at_most
from lib.jvm import Java


def speed(java):
    """Nanoseconds of a call in the fastest of ten loops."""
    java.tell("speed")
    return float(java.expect_line("fastest"))


def measure(bench):
    bench.jdk.compile("calls/TracedCalls.java", bench.directory)
    for _ in range(bench.size.starts):
        for agent in bench.agents:
            with Java(bench.jdk, ["-cp", bench.directory, "TracedCalls"]) as java:
                java.expect_line("ready")
                without = min(speed(java) for _ in range(3))
                succeed(java, agent, "start,trace=TracedCalls.small:1s")
                bench.table.record("a traced call, more", "ns", agent.name, min(speed(java) for _ in range(3)) - without, at_most(60))
                java.tell("end")
