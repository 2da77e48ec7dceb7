"""One lap of the soak: a JVM in which everything happens at once, profiled again and again; and how it ended."""
import collections
import itertools
import os
import queue
import shutil
import signal
import subprocess
import time

from lib import jvm, quality
from lib.jni_checker import complaints
from lib.jvm import Java, agent_option

SOURCES = jvm.WORKLOADS / "soak"
INTERVAL = "interval=100us"
SESSION_SECONDS = 3
# About as many fit into a minute on a busy machine; the next lap goes on with the kinds that follow.
SESSIONS_A_LAP = 5
# Start and stop at once, as often, in every lap.
QUICK_CYCLES = 20
FIRST = "event=cpu"
SESSIONS = (FIRST, "event=ctimer", "event=cpu,cstack=agct", "event=cpu,cstack=fp", "event=itimer", "event=cpu,cstack=no",
            "event=cpu,jstackdepth=20,features=pcaddr", "event=cpu,filter=calls;threads;virtual", "event=cpu,ttsp",
            "event=cpu,cstack=compare", "event=wall", "event=cpu,wall=1ms", "event=wall@1ms,holders", "event=cpu,wakers@1us,wall=1ms,alloc=64k,live,lock=1us", "event=wall,vthreads@1us",
            "event=cpu,nativemem=4k,nativelock=1us", "event=cpu@100us,page-faults@1,minor-faults@1", "event=write,interval=10",
            "event=cpu,trace=Cop*.*,trace=Recursions.*:1ms", "event=java.lang.Throwable.<init>", "event=cpu@100us,exception@1",
            "event=cpu,wakers@1us,wall=1ms,alloc=64k,live,lock=1us,nativemem=4k,nativelock=1us,io=100us,trace=*.run")
# Events are paused and go on as often in each session, all and one by one.
PAUSES = 5
# An activity without a new round for as long has stopped, whatever the load of the machine.
HUNG_SECONDS = 180
EXCERPT_LINES = 24


def start_of(options):
    """The command; counts have no interval of time."""
    is_of_counts = "@" in options or "interval=" in options or "<init>" in options
    return f"start,{options}" if is_of_counts else f"start,{INTERVAL},{options}"


class Trouble(Exception):
    """How a lap went wrong, in a line."""


class Classes:
    """The workload compiled for one JDK, with its native half."""

    def __init__(self, jdk, directory):
        self.directory = directory / str(jdk)
        self.directory.mkdir(parents=True, exist_ok=True)
        self._run(f"{jdk.home}/bin/javac", "-nowarn", "-XDignore.symbol.file", "-d", self.directory, *SOURCES.glob("*.java"))
        manifest = self.directory / "manifest"
        manifest.write_text("Premain-Class: Redefinitions\nCan-Redefine-Classes: true\n", encoding="utf-8")
        self._run(f"{jdk.home}/bin/jar", "cfm", self.directory / "agent.jar", manifest, "-C", self.directory, "Redefinitions.class")
        headers = f"{jdk.home}/include"
        self._run("gcc", "-O1", "-shared", "-fPIC", "-pthread", "-I", headers, "-I", f"{headers}/linux",
                  "-o", self.directory / "libsoak.so", SOURCES / "soak.c")

    @staticmethod
    def _run(*command):
        subprocess.run([str(word) for word in command], check=True)

    def arguments(self):
        return [f"-javaagent:{self.directory}/agent.jar", f"-Djava.library.path={self.directory}", "-cp", self.directory, "Soak"]


class Lap:
    """Runs one JVM for a while; afterwards `rounds`, `sessions`, `trouble` and `sums`, those of the profiles by session, have the
    results."""

    def __init__(self, jdk, collector, from_start, check_jni, number=0, agent=jvm.AGENT, env=None):
        """`number`: that of the lap, for each begins at another kind of session."""
        self.jdk, self.collector, self.from_start, self.check_jni, self.number = jdk, collector, from_start, check_jni, number
        self.agent, self.env = agent, env or {}
        self.rounds, self.sessions, self.trouble = collections.Counter(), 0, None
        self.sums = collections.defaultdict(collections.Counter)
        self.directory = jvm.BUILD / "soak" / f"{time.strftime('%Y%m%d-%H%M%S')}-{jdk}-{collector}"
        self._moved = {}

    def run(self, classes, seconds):
        self.directory.mkdir(parents=True)
        with Java(self.jdk, self._arguments(classes), cwd=self.directory, env=self.env) as java:
            try:
                self._soak(java, time.monotonic() + seconds)
            except (Trouble, RuntimeError, OSError, queue.Empty, subprocess.TimeoutExpired) as error:
                self.trouble = self._how_it_ended(java, error)
                self._keep(java)
        if self.trouble is None:
            shutil.rmtree(self.directory)

    def name(self):
        way = "agentpath" if self.from_start else "attach"
        return f"{self.jdk} {self.collector} {way}{' -Xcheck:jni' if self.check_jni else ''}"

    def _arguments(self, classes):
        heap = ["-XX:+UnlockExperimentalVMOptions", f"-XX:+Use{self.collector}GC", "-Xmx256m", "-XX:MaxMetaspaceSize=96m"]
        return [*([agent_option(f"start,{INTERVAL}", self.agent)] if self.from_start else []), *heap,
                *(["-Xcheck:jni"] if self.check_jni else []), "-XX:ReservedCodeCacheSize=32m", *classes.arguments()]

    def _kinds(self):
        """Again and again; ttsp only where libjvm's functions can be found by their names, and what the JVM has."""
        kinds = [options for options in SESSIONS if ("ttsp" not in options or self.jdk.names_its_code())
                 and ("alloc" not in options or self.jdk.samples_objects())
                 and ("vthreads" not in options or self.jdk.has_virtual_threads())]
        return itertools.islice(itertools.cycle(kinds), self.number * SESSIONS_A_LAP % len(kinds), None)

    def _soak(self, java, until):
        java.expect_line("ready")
        if self.from_start:
            self._finish_session(java, FIRST)
        self._quick_cycles(java)
        for options in self._kinds():
            if time.monotonic() >= until and self.rounds and all(self.rounds.values()):
                break
            self._session(java, options)
        self._count(java)
        java.tell("end")
        java.expect_line("done")
        status = java.wait()
        if status != 0:
            raise Trouble(f"ended with {status}")
        if self.check_jni and complaints(java):
            raise Trouble(f"-Xcheck:jni says: {complaints(java)[0]}")

    def _session(self, java, options):
        self._command(java, start_of(options))
        for turn in range(SESSION_SECONDS):
            time.sleep(1)
            os.kill(java.pid, signal.SIGHUP)
            self._count(java)
            if turn == 0:
                self._pause(java, options)
            if turn == 1:
                self._command(java, f"dump,threads,file={self.directory}/dump.collapsed")
        self._finish_session(java, options)

    def _pause(self, java, options):
        events = [word.partition("=")[0] for word in options.removeprefix("event=").split(",")]
        choices = ["", *(f",event={event}" for event in events if event in ("cpu", "ctimer", "itimer", "wall", "alloc", "lock"))]
        for choice, _ in itertools.product(choices, range(PAUSES)):
            self._command(java, f"pause{choice}")
            self._command(java, "resume")

    def _finish_session(self, java, options):
        file = self.directory / "profile.pb.gz"
        self._command(java, f"stop,file={file}")
        said = quality.read(file)
        for name, value in said.items():
            if value.isdigit():
                self.sums[options][name] += int(value)
        self.sessions += 1

    def _quick_cycles(self, java):
        for options, _ in zip(self._kinds(), range(QUICK_CYCLES)):
            self._command(java, start_of(options))
            self._command(java, f"stop,collapsed,file={self.directory}/quick.collapsed")
            self.sessions += 1

    def _command(self, java, options):
        reply = java.attach(options, self.agent)
        if "return code: 0" not in reply:
            raise Trouble(f"'{options}' was refused: {java.err[-1:]}")

    def _count(self, java):
        """Asks the workload for its rounds; an activity without progress for HUNG_SECONDS is trouble."""
        java.tell("counts")
        now = time.monotonic()
        for pair in java.expect_line("counts").split():
            name, _, rounds = pair.partition("=")
            if int(rounds) != self.rounds[name]:
                self._moved[name] = now
            self.rounds[name] = int(rounds)
            if now - self._moved.setdefault(name, now) > HUNG_SECONDS:
                raise Trouble(f"hang: no round of '{name}' in {HUNG_SECONDS} s")

    @staticmethod
    def _how_it_ended(java, error):
        """A crashed JVM reports it by itself; one that still runs gets a chance to show its threads."""
        if java.crash() is None and java.process.poll() is None:
            os.kill(java.pid, signal.SIGQUIT)
            time.sleep(5)
        elif java.process.poll() is None:
            java.wait()
        status = java.process.poll()
        said = next((line for line in java.out if line.startswith("wrong ")), None)
        end = "it still runs" if status is None else f"exit status {status}"
        return f"{said or java.crash() or error or type(error).__name__} ({end})"

    def _keep(self, java):
        for name, lines in (("command", java.process.args), ("out", java.out), ("err", java.err)):
            (self.directory / name).write_text("\n".join(lines) + "\n", encoding="utf-8")

    def excerpt(self):
        """The lines of the JVM's own report about the place of the crash."""
        report = next(self.directory.glob("hs_err*"), None)
        if report is None:
            return []
        lines = report.read_text(encoding="utf-8", errors="replace").splitlines()
        head = [line for line in lines[:40] if line.startswith("# ")]
        starts = ("siginfo:", "Current thread", "Native frames:", "Java frames:", "C  [", "V  [", "J ", "j ", "v ")
        return (head + [line for line in lines if line.startswith(starts)])[:EXCERPT_LINES]
