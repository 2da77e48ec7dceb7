"""Recordings of JSON decodes at 1 ms: their size, and the CPU time that they take more than another output."""
import pathlib
import time

from lib.benchmarks.agents import succeed
from lib.benchmarks.score_table import at_most, ratio_at_most

OWN_THREADS = "hearth"


def own_seconds(java):
    """CPU seconds of the threads of hearth that run now."""
    total = 0
    for task in pathlib.Path(f"/proc/{java.pid}/task").iterdir():
        try:
            if (task / "comm").read_text().strip() == OWN_THREADS:
                total += int((task / "schedstat").read_text().split()[0])
        except OSError:
            pass  # it has ended
    return total / 1e9


def cost(bench, java, window, agent, suffix):
    """CPU seconds of a window with its start and stop, the share of one CPU that hearth's threads take during it, and the size of the file."""
    file = bench.directory / f"{agent.name}.{suffix}"
    began = java.cpu_seconds()
    succeed(java, agent, f"start,event=cpu,interval=1ms,file={file}")
    own, at = own_seconds(java), time.monotonic()
    window()
    share = (own_seconds(java) - own) / (time.monotonic() - at)
    succeed(java, agent, f"stop,file={file}")
    return java.cpu_seconds() - began, share, file.stat().st_size


def measure(bench, in_windows):
    def compare(java, window):
        for agent in bench.agents:
            used, share, size = cost(bench, java, window, agent, "jfr")
            bench.table.record("JFR, size", "KB", agent.name, size / 1000, ratio_at_most(1.1))
            if agent.name == "hearth":
                other, other_share, _ = cost(bench, java, window, agent, "pb.gz")
                bench.table.record("JFR above pprof", "%", agent.name, 100 * (used / other - 1), at_most(0.3))
                bench.table.record("JFR's threads above pprof's", "% of a CPU", agent.name, 100 * (share - other_share), at_most(0.3))

    in_windows(bench, bench.size.long_window_decodes, compare)
