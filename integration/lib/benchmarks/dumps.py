"""The benchmark of profiles with very many different stacks: their memory, and their dumps."""
import time

from lib.benchmarks.agents import succeed
from lib.benchmarks.score_table import at_most
from lib.jvm import rounds_until


def collect(bench, java, agent, stacks):
    """Profiles until there are so many samples, of which hardly two are the same. Bytes the process grew by, before and after the stop."""
    java.expect_line("ready")
    bench.warm_up(java, 1)
    before = java.resident_kb()
    succeed(java, agent, "start,event=cpu,interval=100us")
    for _ in rounds_until(lambda: agent.samples(java, bench.directory) >= stacks, f"sample {stacks}"):
        time.sleep(0.2)
    running = java.resident_kb()
    succeed(java, agent, "stop")
    return 1024 * (running - before), 1024 * (java.resident_kb() - before)


def timed_dump(bench, java, agent, form, suffix):
    """Its file, and how many seconds it took."""
    file = bench.directory / f"{agent.name}-stacks.{suffix}"
    began = time.monotonic()
    succeed(java, agent, f"dump,{form},file={file}")
    return file, time.monotonic() - began


def measure_dump(bench):
    for agent in bench.agents:
        with bench.java(bench.workload("Stacks", "wide")) as java:
            collect(bench, java, agent, bench.size.stacks)
            for form, suffix in (("collapsed", "collapsed"), ("flamegraph", "html")):
                name = f"{bench.size.stacks:,} stacks, {form}"
                file, seconds = timed_dump(bench, java, agent, form, suffix)
                bench.table.record(name, "ms", agent.name, 1000 * seconds)
                bench.table.record(f"{name}, size", "MB", agent.name, file.stat().st_size / 1e6)


def measure_million(bench):
    if bench.round > 0:
        return
    name = f"{bench.size.million:,} samples"
    for agent in bench.agents:
        with bench.java(bench.workload("Stacks", "narrow")) as java:
            running, stopped = collect(bench, java, agent, bench.size.million)
            java.reset_peak()
            before = java.resident_kb()
            page, seconds = timed_dump(bench, java, agent, "flamegraph", "html")
            bench.table.record(f"{name}, HTML dump", "s", agent.name, seconds, at_most(1))
            bench.table.record(f"{name}, HTML dump, size", "MB", agent.name, page.stat().st_size / 1e6)
            bench.table.record(f"{name}, HTML dump, data and memory, of the data", "", agent.name,
                               1 + 1024 * (java.peak_kb() - before) / stopped)
            page.unlink()
            file, _ = timed_dump(bench, java, agent, "collapsed", "collapsed")
            with file.open("rb") as lines:
                different = sum(1 for _ in lines)
            bench.table.record(f"{name}, a stack", "B", agent.name, running / different, at_most(120))
            bench.table.record(f"{name}, a stack, stopped", "B", agent.name, stopped / different)
            file.unlink()
