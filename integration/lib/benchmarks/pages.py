"""Pages of one profile, as hearth and its peers make them from collapsed stacks, and the time and memory that they take in a reader's browser."""
import json
import shutil
import subprocess
import sys
import time

from lib import jvm, made_up_profile
from lib.benchmarks.score_table import at_most, ratio_at_most
from lib.fetched import NotThere, fetched, maven, maven_jar

CONVERTER = "tools.profiler:jfr-converter:4.5"
CLOJURE_PEER = "com.clojure-goes-fast:clj-async-profiler:1.7.0"
SPEEDSCOPE = "speedscope@1.25.0"
TIME_PAGE = jvm.ROOT / "integration/lib/browser/time_page.mjs"
TIME_ANSWERS = jvm.ROOT / "integration/lib/browser/time_answers.mjs"
BROWSER_DRIVER = jvm.ROOT / "tests/html/install_packages"

READ = (("open_ms", "first picture", "ms"), ("search_ms", "search", "ms"), ("heap_mb", "memory", "MB"))
# Of a million stacks: in a small profile the page itself is the larger part.
GOALS = {"made in": ratio_at_most(0.3), "size": ratio_at_most(0.5), "first picture": ratio_at_most(1), "search": ratio_at_most(1)}
ANSWERED, FRAME = at_most(300), at_most(50)  # ms


class Hearth:
    name = "hearth"

    def __init__(self, _):
        self.command = [jvm.LAUNCHER, "convert"]

    def make(self, stacks, page):
        subprocess.run([*self.command, stacks, page], check=True)
        return [page]


class AsyncProfiler(Hearth):
    name = "async-profiler"

    def __init__(self, jdk):
        self.command = [jdk.java(), "-jar", maven_jar(CONVERTER), "-o", "html"]


class CljAsyncProfiler(Hearth):
    name = "clj-async-profiler"

    def __init__(self, jdk):
        clojars = "-DremoteRepositories=clojars::default::https://repo.clojars.org"
        command = maven("get", f"-Dartifact={CLOJURE_PEER}", clojars, "-Ddest=clj-async-profiler.jar")
        jar = fetched(self.name, command, "clj-async-profiler.jar")
        self.java = [jdk.java(), "-cp", f"{jar}:{jvm.CLOJURE}", "clojure.main", "-e"]

    def make(self, stacks, page):
        code = f"""(do (require 'clj-async-profiler.core) (println (str (clj-async-profiler.core/generate-flamegraph "{stacks}" {{}}))))"""
        made = subprocess.run([*self.java, code], capture_output=True, text=True, check=True).stdout.split()[-1]
        shutil.move(made, page)
        return [page]


class Speedscope(Hearth):
    """Its page is one for all profiles, which opens the stacks themselves."""

    name = "speedscope"

    def __init__(self, _):
        package = fetched(self.name, ["npm", "pack", "--silent", SPEEDSCOPE], "speedscope-*.tgz")
        self.home = package.parent / "speedscope"
        self.home.mkdir(exist_ok=True)
        subprocess.run(["tar", "-xzf", package, "-C", self.home, "--strip-components=1"], check=True)

    def make(self, stacks, page):
        return [self.home / "dist/release/index.html", stacks]


def page_makers(jdk):
    """Those that can be had, hearth first, and why the others cannot."""
    makers, missing = [], []
    for kind in (Hearth, AsyncProfiler, CljAsyncProfiler, Speedscope):
        try:
            makers.append(kind(jdk))
        except (NotThere, OSError) as error:
            missing.append(str(error))
    return makers, missing


def as_read(maker, opened):
    """The reader's waits and memory: {open_ms, search_ms, heap_mb}; nothing where the browser cannot open it."""
    subprocess.run([BROWSER_DRIVER], check=True)
    done = subprocess.run(["node", TIME_PAGE, maker.name, *opened], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        print(f"{maker.name} cannot be opened: {done.stderr.strip().splitlines()[:1]}", file=sys.stderr)
    return json.loads(done.stdout) if done.returncode == 0 else {}


def record(bench, maker, profile, stacks):
    page = bench.directory / f"{maker.name}.html"
    goals = GOALS if stacks >= 1_000_000 else {}

    def told(label, unit, value):
        bench.table.record(f"page of {stacks:,}, {label}", unit, maker.name, value, goals.get(label))

    began = time.monotonic()
    opened = maker.make(profile, page)
    if page.exists():
        told("made in", "s", time.monotonic() - began)
        told("size", "MB", page.stat().st_size / 1e6)
    read = as_read(maker, opened)
    for what, label, unit in READ:
        if what in read:
            told(label, unit, read[what])
    page.unlink(missing_ok=True)


def record_answers(bench, stacks):
    """The times of a reader's requests to hearth's page of a profile with times and threads; and the longest that the page
    does not respond meanwhile."""
    profile, page = bench.directory / "answers.pb.gz", bench.directory / "answers.html"
    made_up_profile.write_pprof(profile, stacks)
    subprocess.run([jvm.LAUNCHER, "convert", profile, page], check=True)
    subprocess.run([BROWSER_DRIVER], check=True)
    name = made_up_profile.names()[made_up_profile.NAMES // 2]
    answers = json.loads(subprocess.run(["node", TIME_ANSWERS, page, name], capture_output=True, text=True, check=True).stdout)
    is_largest = stacks >= 1_000_000
    for what, answer in answers.items():
        goal = FRAME if what == "zoom" else ANSWERED
        bench.table.record(f"page of {stacks:,}, {what}", "ms", "hearth", answer["ms"], goal if is_largest else None)
    longest, what = max((answer.get("longest", 0), what) for what, answer in answers.items())
    bench.table.record(f"page of {stacks:,}, longest task", "ms", "hearth", longest, FRAME if is_largest else None)
    if longest > 0:
        print(f"page of {stacks:,}: the longest task, {longest:.0f} ms, was in {what}", file=sys.stderr)


def measure(bench):
    makers, missing = page_makers(bench.jdk)
    print(*missing, sep="\n", file=sys.stderr)
    for stacks in bench.size.page_stacks:
        if bench.round > 0 and stacks == max(bench.size.page_stacks):
            continue
        profile = bench.directory / f"{stacks}.collapsed"
        made_up_profile.write_collapsed(profile, stacks)
        for maker in makers[:: -1 if bench.round % 2 else 1]:
            record(bench, maker, profile, stacks)
        profile.unlink()
        record_answers(bench, stacks)
