"""The agent's cost before it profiles: the start of a JVM with it, and its load into one that runs."""
import time

from lib.benchmarks.score_table import at_most, ratio_at_most
from lib.jvm import Java

SMALL = ("-Xms32m", "-Xmx32m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")


def idle(bench, *options):
    """A JVM that has nothing to do but to start."""
    return Java(bench.jdk, [*SMALL, *options, "-cp", bench.directory, "Idle", "0"])


def start(bench, *options):
    """When main() has run: the milliseconds since the start of the process, those of CPU time, and the resident set in MB."""
    began = time.monotonic()
    with idle(bench, *options) as java:
        java.expect_line("ready")
        return 1000 * (time.monotonic() - began), 1000 * java.cpu_seconds(), java.resident_kb() / 1024


def measure_start(bench):
    for _ in range(bench.size.starts):
        alone = start(bench)
        for agent in bench.agents:
            more = [ours - base for ours, base in zip(start(bench, f"-agentpath:{agent.path}"), alone)]
            bench.table.record("start of a JVM, more", "ms", agent.name, more[0], at_most(15))
            bench.table.record("start of a JVM, more CPU time", "ms", agent.name, more[1])
            bench.table.record("start of a JVM, more memory", "MB", agent.name, more[2], at_most(4))


def measure_attach(bench):
    """Both answer over the same attach channel, which is open; `version` does nothing else."""
    for _ in range(bench.size.starts):
        for agent in bench.agents:
            with idle(bench) as java:
                java.expect_line("ready")
                java.open_attach_channel()
                began = time.monotonic()
                reply = java.attach("version", agent.path)
                took = 1000 * (time.monotonic() - began)
            if "return code: 0" not in reply:
                raise RuntimeError(f"{agent.name}: {reply.strip()}")
            bench.table.record("load by attach", "ms", agent.name, took, ratio_at_most(1))


def measure(bench):
    bench.jdk.compile("threads/Idle.java", bench.directory)
    measure_start(bench)
    measure_attach(bench)
