"""The always-on store's cost, its growth, and the time to read a range of a day; for the benchmark."""
import datetime
import re
import shutil
import subprocess
import time

from lib.benchmarks import agents
from lib.benchmarks.agents import succeed
from lib.benchmarks.score_table import at_most
from lib.jvm import Java, agent_option, hearth, rounds_until, wait_until

MINUTES_OF_A_DAY = 24 * 60


def files_of(store, level="windows"):
    return sorted((store / level).glob("*.pb.gz"))


def measure(bench):
    agent = next(one for one in bench.agents if one.name == agents.Hearth.name)
    measure_cost(bench, agent, bench.directory / f"cost-{bench.round}")
    if bench.round == 0:
        measure_days(bench, bench.directory / "flat", bench.directory / "day")


def measure_cost(bench, agent, store):
    """Windows of JSON decodes with a store at its defaults, each between two without."""
    with bench.java(bench.clojure("asked")) as java:
        java.expect_line("ready")

        def window():
            java.reset_peak()
            began = java.cpu_seconds()
            for _ in range(bench.size.crowd_steps):
                java.tell(str(bench.size.long_window_decodes))
                java.expect_line("done")
            return java.cpu_seconds() - began, java.peak_kb()

        settled = java.cpu_seconds() + bench.size.warm_up_seconds
        for _ in rounds_until(lambda: java.cpu_seconds() >= settled, "the end of the warm-up"):
            window()
        before, memory = window()
        for _ in range(bench.size.crowd_windows):
            succeed(java, agent, f"start,store={store}")
            used, most = window()
            wait_until(lambda: len(files_of(store)) > 1, "a window of the store")
            told = re.search(r"([\d.]+) % of a CPU, of budget", hearth("status", java.pid).stdout)
            succeed(java, agent, "stop,store")
            after, _ = window()
            bench.table.record("always on, CPU", "%", agent.name, 100 * (2 * used / (before + after) - 1), at_most(0.5))
            bench.table.record("always on, by its own clocks", "%", agent.name, float(told[1]), at_most(0.5))
            bench.table.record("always on, memory", "MB", agent.name, (most - memory) / 1024, at_most(64))
            before = after
            shutil.copy(max(files_of(store), key=lambda file: file.stat().st_size), bench.directory / "window.pb.gz")
            shutil.rmtree(store)
        java.tell("")


def measure_days(bench, store, day):
    """As many windows as a day has minutes, in less time, while classes come and go; then a day of such files."""
    bench.jdk.compile("work/Phases.java", bench.directory)
    windows = bench.size.flat_windows
    option = agent_option(f"start,store={store},window=100ms,budget=100%")
    with Java(bench.jdk, [option, "-Xms64m", "-Xmx64m", "-XX:+AlwaysPreTouch", "-XX:MaxMetaspaceSize=64m", "-cp", bench.directory, "Phases"]) as java:
        java.expect_line("ready")
        quarters = [least_resident_kb(java, store, windows * quarter // 4) for quarter in (1, 2, 3, 4)]
        grown = (quarters[3] - quarters[1]) / 1024
        bench.table.record(f"always on, growth from the second quarter of {windows} windows to the last", "MB", "hearth", grown, at_most(8))
        java.tell("end")
        java.wait()
    make_day(bench.directory / "window.pb.gz", day)
    time_day(bench, day)


def least_resident_kb(java, store, until):
    """While classes come and go, until the store has so many windows. Classes that wait to be unloaded take about 10 MB now and then:
    the least is permanent."""
    least = java.resident_kb()
    for _ in rounds_until(lambda: len(files_of(store)) >= until, f"window {until}", patience=3600):
        for work in ("classes 20", "red 20"):
            java.tell(work)
            java.expect_line("done")
        least = min(least, java.resident_kb())
    return least


def make_day(window, day):
    """A window each minute of yesterday, which all hold the same."""
    (day / "windows").mkdir(parents=True)
    begin = datetime.datetime.now(datetime.timezone.utc).replace(hour=0, minute=0, second=0, microsecond=0) - datetime.timedelta(days=1)
    for minute in range(MINUTES_OF_A_DAY):
        stamp = (begin + datetime.timedelta(minutes=minute)).strftime("%Y%m%dT%H%M%S.000Z")
        shutil.copy(window, day / "windows" / f"{stamp}-60000ms.pb.gz")


def time_day(bench, day):
    def seconds(what):
        yesterday = (datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(days=1)).strftime("%Y-%m-%d")
        began = time.monotonic()
        hearth("convert", f"{day}@{yesterday}T00:30Z..{yesterday}T23:40Z", bench.directory / "day.pb.gz")
        bench.table.record(f"a day of minutes as one profile, {what}", "s", "hearth", time.monotonic() - began, at_most(1))

    seconds("not merged yet")
    with Java(bench.jdk, [agent_option(f"start,store={day},window=1s"), "-cp", bench.directory, "Phases"]) as java:
        java.expect_line("ready")
        wait_until(lambda: len(files_of(day, "days")) == 1, "the day's file")
        java.tell("end")
        java.wait()
    seconds("merged")
    size = sum(int(line.split()[0]) for line in subprocess.run(["du", "-sk", day], capture_output=True, text=True, check=True).stdout.splitlines())
    bench.table.record("a day of minutes, on disk", "MB", "hearth", size / 1024)
