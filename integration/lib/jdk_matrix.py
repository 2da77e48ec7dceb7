"""Every JDK of /usr/lib/jvm with every collector it has: how whole the stacks are, and the results of the checks.

Exit status 1 when a JVM crashed, a check failed or a share missed its goal.
"""
import argparse
import subprocess
import sys

from lib import jvm, quality
from lib.jvm import Java, Scratch, agent_option, hearth, wait_until
from lib.stacks import Stacks
from lib.wholeness import cut_stacks, main_thread, whole_share

COLLECTORS = ("Serial", "Parallel", "G1", "Shenandoah", "Z")
# Of the main thread's samples; the versions that people run most must do best.
GOAL, OTHERS = {"17": 0.995, "25": 0.995}, 0.99
DECODES = 300
ATTACHED_CPU_SECONDS = 4
# Those that ask the JVM for something. Spelling and pages do not depend on it.
CHECKS = ("agentpath_and_attach", "allocation_hardships", "allocations", "always_on", "bad_options", "context_switches",
          "counters", "deaf_threads", "exact_allocations", "exceptions", "gc_and_vm_threads", "io_calls", "jni_callbacks", "known_shares",
          "launcher", "leak_holders", "leaks", "live_objects", "lock_holders", "locks", "native_libraries", "native_locks", "native_memory", "no_perf",
          "page_faults", "safepoints", "sessions", "start_stop_cycles", "threads_churn", "traced_calls", "virtual_waits", "vm_death", "wakers", "wall_states", "xcheck")
COLUMNS = "{:<8}{:<12}{:<11}{:>9}{:>6}{:>9}{:>7}  {:<7}{}"


def version(jdk):
    """8 from java-8-openjdk-amd64."""
    return next(word for word in str(jdk).split("-") if word.isdigit())


def workload(*arguments):
    return ["-Xmx512m", "-cp", jvm.CLOJURE, "clojure.main", jvm.WORKLOADS / "clojure/decode.clj", *arguments]


def from_start(jdk, heap, file):
    """The start-up and the parsing, to the end of the program."""
    agent = agent_option(f"start,event=cpu,interval=1ms,threads,file={file}")
    with Java(jdk, [agent, *heap, *workload(DECODES)]) as java:
        java.wait()
    return java


def attached(jdk, heap, file):
    """The same program, met when it is warm."""
    with Java(jdk, [*heap, *workload()]) as java:
        java.expect_line("ready")
        hearth("start", "-e", "cpu", "-i", "1ms", "-t", java.pid)
        until = java.cpu_seconds() + ATTACHED_CPU_SECONDS
        wait_until(lambda: java.cpu_seconds() > until or java.process.poll() is not None, "profiled work")
        hearth("stop", "-t", "-f", file, java.pid)
        java.tell("end")
        java.wait()
    return java


class Row:
    """One run: the figures of its profile, or how it ended badly."""

    def __init__(self, jdk, collector, way):
        self.jdk, self.collector, self.way = jdk, collector, way
        self.bad, self.share, self.said, self.samples, self.cut = None, 0, {}, 0, []

    def measure(self, run, heap, file):
        try:
            java = run(self.jdk, heap, file)
        except RuntimeError as error:
            self.bad = str(error)
            return
        if java.process.returncode != 0:
            self.bad = java.crash() or f"ended with {java.process.returncode}: {java.err[-1:]}"
            return
        self.said = quality.read(file)
        stacks = Stacks.parse(hearth("convert", file, "-", "-o", "collapsed").stdout)
        self.share, self.samples = whole_share(stacks), main_thread(stacks).total()
        self.cut = cut_stacks(stacks)

    def goal(self):
        return GOAL.get(version(self.jdk), OTHERS)

    def good(self):
        return self.bad is None and self.share >= self.goal()

    def text(self):
        """The line of the table; failures by reason are those of all threads."""
        first = (version(self.jdk), self.collector, self.way)
        if self.bad is not None:
            return COLUMNS.format(*first, "", "", "", "", "✗", self.bad)
        failures = {name.removeprefix("failure."): count for name, count in self.said.items() if name.startswith("failure.")}
        reasons = ", ".join(f"{name} {count}" for name, count in failures.items())
        return COLUMNS.format(*first, f"{self.samples:,}", self.said["lost"], f"{self.share:.2%}", f"{self.goal():.1%}",
                              "✓" if self.good() else "✗", reasons)


def measure_stacks(jdks, collectors):
    """Prints the first table as its rows come; returns the rows."""
    print(COLUMNS.format("JDK", "collector", "loaded by", "main", "lost", "whole", "goal", "", "walk failures, all threads"))
    rows = []
    with Scratch() as directory:
        for jdk in jdks:
            for collector in collectors:
                heap = ("-XX:+UnlockExperimentalVMOptions", f"-XX:+Use{collector}GC")
                if not jdk.has_flag(heap[-1]):
                    continue
                for way, run in (("agentpath", from_start), ("attach", attached)):
                    row = Row(jdk, collector, way)
                    row.measure(run, heap, directory / "profile.pb.gz")
                    print(row.text(), flush=True)
                    if row.bad is None and not row.good():
                        print(*(f"          {weight} begin with {begin}, Java at {entry}" for (begin, entry), weight in row.cut), sep="\n")
                    rows.append(row)
    return rows


def run_checks(jdks, names):
    """Prints the second table; returns how many checks failed."""
    print(f"\n{'check':<24}" + "".join(f"{version(jdk):>10}" for jdk in jdks))
    bad, crosses = 0, []
    for name in names:
        script = next(jvm.ROOT.glob(f"integration/check/*/{name}"))
        print(f"{name:<24}", end="", flush=True)
        for jdk in jdks:
            done = subprocess.run([script, "--jdk", f"/{jdk}"], capture_output=True, text=True, check=False)
            passed = done.stdout.count("✓ ")
            failed = [line for line in done.stdout.splitlines() if line.startswith("✗ ")]
            if done.returncode != 0 and not failed:
                failed = [f"✗ {name}, {jdk}: ended with {done.returncode}"]
            print(f"{f'{passed} ✓' if not failed else f'{len(failed)} ✗ {passed} ✓':>10}", end="", flush=True)
            crosses += failed
        print()
    print(*crosses, sep="\n")
    return bad + len(crosses)


def main():
    parser = argparse.ArgumentParser(prog="integration/jdk-matrix", description=__doc__)
    parser.add_argument("--jdk", default="", help="only JDKs with this word in their path")
    parser.add_argument("--gc", choices=COLLECTORS, help="only this collector")
    parser.add_argument("--no-checks", action="store_true", help="only the table of stacks")
    options = parser.parse_args()
    jdks = sorted((jdk for jdk in jvm.installed_jdks() if options.jdk in jdk.home), key=lambda jdk: int(version(jdk)))
    if not jdks:
        sys.exit(f"✗ no JDK with '{options.jdk}' in its path")
    rows = measure_stacks(jdks, [options.gc] if options.gc else COLLECTORS)
    failed = 0 if options.no_checks else run_checks(jdks, CHECKS)
    missed = sum(not row.good() for row in rows)
    print(f"\n{len(rows)} runs, {missed} below their goal or broken; {failed} checks failed")
    sys.exit(1 if missed or failed else 0)


if __name__ == "__main__":
    main()
