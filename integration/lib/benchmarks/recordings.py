"""Recordings of JSON decodes at 1 ms: their size, and the CPU time that they take more than another output."""
from lib.benchmarks.agents import succeed
from lib.benchmarks.score_table import at_most, ratio_at_most


def cost(bench, java, window, agent, suffix):
    """CPU seconds of a window with its start and stop, and the size of the file."""
    file = bench.directory / f"{agent.name}.{suffix}"
    began = java.cpu_seconds()
    succeed(java, agent, f"start,event=cpu,interval=1ms,file={file}")
    window()
    succeed(java, agent, f"stop,file={file}")
    return java.cpu_seconds() - began, file.stat().st_size


def measure(bench, in_windows):
    def compare(java, window):
        for agent in bench.agents:
            used, size = cost(bench, java, window, agent, "jfr")
            bench.table.record("JFR, size", "KB", agent.name, size / 1000, ratio_at_most(1.1))
            if agent.name == "hearth":
                other, _ = cost(bench, java, window, agent, "pb.gz")
                bench.table.record("JFR above pprof", "%", agent.name, 100 * (used / other - 1), at_most(0.3))

    in_windows(bench, bench.size.long_window_decodes, compare)
