"""What native memory costs a program that does little but allocate, and how right its bytes are."""
from lib.benchmarks.agents import succeed
from lib.benchmarks.score_table import at_most, ratio_at_most
from lib.native_sites import SITES, allocated_at
from lib.stacks import Stacks

PAIR_NS = 100  # of CPU time: ten million pairs a second
INTERVAL = "512k"
COUNT, SIZE, KEPT, SITES_INTERVAL = 20_000, 30_000, 4, "8k"


class Pairs:
    """A JVM whose thread makes pairs of malloc and free, one in PAIR_NS."""

    def __init__(self, java, count):
        self.java, self.count, self.work = java, count, 0
        some = 60
        nothing = min(self.pair_ns() for _ in range(5))
        self.work = some
        step = (min(self.pair_ns() for _ in range(5)) - nothing) / some
        self.work = round((PAIR_NS - nothing) / step)

    def pair_ns(self):
        self.java.tell(f"pairs {self.count} {self.work}")
        taken = int(self.java.expect_line("took"))
        self.java.expect_line("done")
        return taken / self.count

    def slow_down(self, agent):
        """A part of a pair's time: with a session, above the mean before and after."""
        before = self.pair_ns()
        succeed(self.java, agent, f"start,event=nativemem,nativemem={INTERVAL}")
        used = self.pair_ns()
        succeed(self.java, agent, "stop")
        return 2 * used / (before + self.pair_ns()) - 1


def measure(bench):
    """Each agent has a JVM of its own: async-profiler's hooks stay after its first session."""
    bench.jdk.compile("alloc/NativeSites.java", bench.directory)
    sites = bench.jdk.compile_native("native_sites.c", bench.directory)
    for agent in bench.agents:
        with bench.java([f"-agentpath:{agent.path}", "-cp", bench.directory, "NativeSites", sites]) as java:
            java.expect_line("ready")
            record_cost(bench, agent, Pairs(java, bench.size.malloc_pairs))
            record_sites(bench, agent, java)
            java.tell("end")


def record_cost(bench, agent, program):
    for _ in range(bench.size.malloc_windows):
        slow_down = 100 * program.slow_down(agent)
        for name, goal in (("nativemem 512k", at_most(3)), ("nativemem 512k, the same", ratio_at_most(0.5))):
            bench.table.record(name, "%", agent.name, slow_down, goal)


def record_sites(bench, agent, java):
    stacks = bench.directory / f"{agent.name}-sites.collapsed"
    succeed(java, agent, f"start,event=nativemem,nativemem={SITES_INTERVAL}")
    java.tell(f"sites {COUNT} {SIZE} {KEPT}")
    java.expect_line("done")
    succeed(java, agent, f"stop,collapsed,total,file={stacks}")
    found = Stacks.read(stacks)
    off = [abs(found.weight_with(site) / allocated_at(site, COUNT, SIZE, KEPT) - 1) for site in SITES]
    bench.table.record("native bytes, worst of seven sites", "% off", agent.name, 100 * max(off), at_most(2))
