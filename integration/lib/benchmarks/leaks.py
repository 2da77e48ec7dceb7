"""Eight planted leaks, each among healthy memory of all kinds, and eight healthy services: which sites are called leaks, and their place."""
import collections
import contextlib
import re
import subprocess
import time

from lib import jvm
from lib.benchmarks.agents import succeed
from lib.benchmarks.pages import CONVERTER
from lib.benchmarks.score_table import at_most
from lib.fetched import maven_jar
from lib.planted import LEAKS, NATIVE, Found, arguments
from lib.stacks import Stacks

BYTES_A_SECOND, SECONDS_KEPT = 1_000_000, 5
NOT_FOUND = 1000  # as a rank
INTERVAL = "512k"


def compiled(bench):
    bench.jdk.compile("alloc/Planted.java", bench.directory)
    return bench.jdk.compile_native("planted_leaks.c", bench.directory)


def measure_leaks(bench):
    if bench.round > 0:
        return
    library = compiled(bench)
    for leak in LEAKS:
        for agent in bench.agents:
            with service(bench, library, LEAKS, [leak]) as java:
                rank, others = ours(bench, java, leak) if agent.name == "hearth" else theirs(bench, agent, java, leak)
            bench.table.record(f"{leak} leak, its place in the list", "rank", agent.name, rank, at_most(1))
            bench.table.record(f"{leak} leak, before it or falsely named", "sites", agent.name, others, at_most(0))


def service(bench, library, healthy, leaks):
    """A JVM in which all that is healthy is full."""
    java = jvm.Java(bench.jdk, ["-Xmx512m", *arguments(library, bench.directory, healthy, leaks, BYTES_A_SECOND, SECONDS_KEPT)])
    java.expect_line("ready")
    return java


def ours(bench, java, leak):
    found = Found(jvm.hearth("leaks", "-d", f"{bench.size.leak_seconds}s", "--top", 1000, "--json", java.pid).stdout)
    return found.rank(leak) or NOT_FOUND, len(found.false())


def theirs(bench, agent, java, leak):
    """By async-profiler's own ways: nativemem and its converter's --leak; and the live objects."""
    recording, stacks = bench.directory / "leaks.jfr", bench.directory / "leaks.collapsed"
    event = f"event=nativemem,nativemem={INTERVAL}" if leak in NATIVE else f"event=alloc,alloc={INTERVAL},live"
    succeed(java, agent, f"start,{event},jfr,file={recording}")
    time.sleep(bench.size.leak_seconds)
    succeed(java, agent, f"stop,file={recording}")
    chosen = ["--nativemem", "--leak"] if leak in NATIVE else ["--live"]
    converter = [bench.jdk.java(), "-jar", maven_jar(CONVERTER), *chosen, "--total", "-o", "collapsed", recording, stacks]
    subprocess.run([str(word) for word in converter], check=True, stdout=subprocess.DEVNULL)
    sites = collections.Counter()
    for frames, weight in Stacks.read(stacks).items:
        sites[tuple(re.sub(r"_\[.\]$", "", frame) for frame in frames)] += weight
    ranks = [rank for rank, (frames, _) in enumerate(sites.most_common(), 1) if LEAKS[leak] in frames]
    rank = min(ranks, default=NOT_FOUND)
    return rank, rank - 1  # it lists all memory that it followed, and calls none a leak


def measure_healthy(bench):
    """All eight at once: each is looked at for minutes, and takes little of a processor."""
    if bench.round > 0:
        return
    library = compiled(bench)
    with contextlib.ExitStack() as running:
        services = [running.enter_context(service(bench, library, [kind], [])) for kind in LEAKS]
        command = [jvm.LAUNCHER, "leaks", "-d", f"{bench.size.healthy_seconds}s", "--top", "1000", "--json"]
        looking = [subprocess.Popen([*command, str(java.pid)], stdout=subprocess.PIPE, text=True) for java in services]
        for kind, process in zip(LEAKS, looking):
            false = Found(process.communicate()[0]).false()
            for frames in false:
                print(f"{kind}: {' › '.join(frames)}", flush=True)
            bench.table.record("healthy services, falsely named", "sites", "hearth", len(false), at_most(0))
