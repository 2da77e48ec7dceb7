"""JVMs for the checks: which are installed, how to compile, start, command and watch one."""
import collections
import contextlib
import ctypes
import functools
import os
import pathlib
import queue
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("HEARTH_BUILD", ROOT / "build"))
# Downloads, as in steps.sh.
CACHE = pathlib.Path(os.environ.get("HEARTH_CACHE") or
                     pathlib.Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser() / "hearth")
AGENT = BUILD / "lib" / "libhearth.so"
LAUNCHER = BUILD / "bin" / "hearth"
JAR = BUILD / "java" / "hearth.jar"
WORKLOADS = ROOT / "integration" / "workloads"
# Debian's jars name those they depend on in their manifests.
CLOJURE = f"/usr/share/java/clojure.jar:/usr/share/java/cheshire.jar:{WORKLOADS}/clojure"
# From JDK 9 on, and before.
LIBJVM = ("lib/server/libjvm.so", "jre/lib/amd64/server/libjvm.so", "jre/lib/aarch64/server/libjvm.so")
# How many times slower than usual the processor is, as an emulated one: intervals are longer by it, so that samples cost no more.
SLOWER = int(os.environ.get("HEARTH_SLOWER", "1"))
# Long enough for the slowest machine: it only ends a run that hangs, and no check measures against it.
PATIENCE = 300 * min(SLOWER, 4)


@functools.total_ordering
class Jdk:
    """One JDK; sorts by its path, prints as the last part of the path."""

    def __init__(self, home):
        self.home = home

    def __str__(self):
        return os.path.basename(self.home)

    def __eq__(self, other):
        return self.home == other.home

    def __hash__(self):
        return hash(self.home)

    def __lt__(self, other):
        return self.home < other.home

    def java(self):
        return f"{self.home}/bin/java"

    def has_flag(self, flag):
        """Whether this JVM was built with the feature of the flag (ZGC, Shenandoah)."""
        command = [self.java(), "-XX:+UnlockExperimentalVMOptions", flag, "-version"]
        return subprocess.run(command, capture_output=True, check=False).returncode == 0

    def names_its_code(self):
        """Whether libjvm has names for its own functions, or its debug file has; stripped it names its few entry points only."""
        libjvm = next(path for path in LIBJVM if os.path.exists(f"{self.home}/{path}"))
        command = ["readelf", "-SnW", f"{self.home}/{libjvm}"]
        told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        build = re.search("Build ID: (..)(.+)", told)
        return ".symtab" in told or (build and os.path.exists(f"/usr/lib/debug/.build-id/{build[1]}/{build[2]}.debug"))

    def has_class(self, name):
        """Whether this JDK's base module has the class."""
        command = [f"{self.home}/bin/javap", name]
        return subprocess.run(command, capture_output=True, check=False).returncode == 0

    def has_virtual_threads(self):
        """From JDK 21 on."""
        return self.has_class("java.lang.VirtualThread")

    def lacks_operations(self):
        """Why wall samples at safepoints have no operation; "" if they have."""
        if not self.has_class("java.lang.Record"):
            return "before JDK 14 threads wait for the end of a safepoint as for any mutex"
        listed = subprocess.run(["nm", next(pathlib.Path(self.home).glob("**/server/libjvm.so"))], capture_output=True, text=True, check=False)
        return "" if "_cur_vm_operation" in listed.stdout else "the symbols of this JDK's libjvm.so are apart"

    def samples_objects(self):
        """Whether the JVM reports sampled allocations, from JDK 11 on (JDK 9 and 10 are not run here)."""
        return self.has_class("java.lang.Module")

    def compile(self, source, directory, libraries=()):
        """Compiles one file of integration/workloads, or those that a pattern names, into `directory`, and what it uses of workloads/shared."""
        paths = ["-cp", ":".join(map(str, libraries)), "-sourcepath", WORKLOADS / "shared", "-d", directory]
        subprocess.run([f"{self.home}/bin/javac", "-nowarn", *paths, *WORKLOADS.glob(source)], check=True)

    def compile_native(self, source, directory, options=()):
        """The shared library of a C file of integration/lib/native, for JNI or JVMTI."""
        library = pathlib.Path(directory) / f"{source.removesuffix('.c')}.so"
        headers = [f"-I{self.home}/include", f"-I{self.home}/include/linux"]
        command = ["cc", "-O2", "-shared", "-fPIC", "-pthread", *options, *headers, "-o", library, ROOT / "integration/lib/native" / source]
        subprocess.run(command, check=True)
        return library


def installed_jdks():
    """Every JDK of /usr/lib/jvm with a HotSpot and a compiler, links to the same one counted once."""
    homes = set()
    for library in LIBJVM:
        for path in pathlib.Path("/usr/lib/jvm").glob(f"*/{library}"):
            home = pathlib.Path(str(path).removesuffix(library)).resolve()
            if (home / "bin/javac").exists():
                homes.add(str(home))
    return [Jdk(home) for home in sorted(homes)]


def agent_option(options, agent=AGENT):
    return f"-agentpath:{agent}={options}"


def cpu_seconds(pid):
    """CPU time of a process so far."""
    process_clock = ~pid << 3 | 2  # as clock_getcpuclockid(3) makes it
    return time.clock_gettime(process_clock)


class Java:
    """A running JVM with a workload that talks in lines: it prints its state on stdout and waits for a line on stdin.

    Ends with the `with` block, however that is left. Everything the process wrote is in `out` and `err`; the JVM's
    report of a crash stays in its directory, build/logs by default.
    """

    def __init__(self, jdk, arguments, prefix=(), env=None, cwd=BUILD / "logs"):
        BUILD.joinpath("logs").mkdir(exist_ok=True)
        if "-Xcheck:jni" in arguments:  # the JVM would write parts of its warnings between the program's lines
            arguments = ["-XX:+DisplayVMOutputToStderr", *arguments]
        self.process = subprocess.Popen(
            [*prefix, jdk.java(), *map(str, arguments)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True, env={**os.environ, **(env or {})}, cwd=cwd, preexec_fn=_prepare_child)
        self.pid = self.process.pid
        self.out, self.err = [], []
        self._lines = queue.Queue()
        self._readers = [threading.Thread(target=self._read, args=pair, daemon=True)
                         for pair in ((self.process.stdout, self.out), (self.process.stderr, self.err))]
        for reader in self._readers:
            reader.start()

    def _read(self, stream, kept):
        for line in stream:
            kept.append(line.rstrip("\n"))
            if kept is self.out:
                self._lines.put(kept[-1])
        if kept is self.out:
            self._lines.put(None)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.wait()
        pathlib.Path(f"/tmp/.java_pid{self.pid}").unlink(missing_ok=True)  # which a killed one leaves

    def expect_line(self, start):
        """Waits for a line that starts so, and returns the rest."""
        while True:
            line = self._lines.get(timeout=PATIENCE)
            if line is None:
                self.wait()
                raise RuntimeError(f"JVM ended with {self.process.returncode} before '{start}': {self.err[-3:]}")
            if line.startswith(start):
                return line[len(start):].strip()

    def tell(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def wait(self):
        """Waits for the end; returns the exit status."""
        status = self.process.wait(timeout=PATIENCE)
        for reader in self._readers:
            reader.join(PATIENCE)  # a child of the JVM may keep the pipe open
        return status

    def open_files(self):
        return len(os.listdir(f"/proc/{self.pid}/fd"))

    def open_file_names(self):
        """The target of each descriptor, as /proc shows it: a path, `anon_inode:[perf_event]`, `socket:[…]`."""
        names = collections.Counter()
        for link in pathlib.Path(f"/proc/{self.pid}/fd").iterdir():
            with contextlib.suppress(FileNotFoundError):  # closed meanwhile
                names[os.readlink(link)] += 1
        return names

    def threads(self):
        return len(os.listdir(f"/proc/{self.pid}/task"))

    def thread_names(self):
        """The kernel's names of the threads, 15 characters of each."""
        names = collections.Counter()
        for task in pathlib.Path(f"/proc/{self.pid}/task").iterdir():
            with contextlib.suppress(FileNotFoundError, ProcessLookupError):  # ended meanwhile
                names[(task / "comm").read_text(encoding="utf-8").rstrip("\n")] += 1
        return names

    def mappings(self):
        with open(f"/proc/{self.pid}/maps", encoding="utf-8") as maps:
            return sum(1 for _ in maps)

    def resident_kb(self):
        with open(f"/proc/{self.pid}/status", encoding="utf-8") as status:
            return next(int(line.split()[1]) for line in status if line.startswith("VmRSS:"))

    def reset_peak(self):
        pathlib.Path(f"/proc/{self.pid}/clear_refs").write_text("5", encoding="ascii")

    def peak_kb(self):
        """The most that the resident set was since reset_peak()."""
        with open(f"/proc/{self.pid}/status", encoding="utf-8") as status:
            return next(int(line.split()[1]) for line in status if line.startswith("VmHWM:"))

    def signal_dispositions(self):
        """Which signals the process ignores, and which it handles."""
        with open(f"/proc/{self.pid}/status", encoding="utf-8") as status:
            return [line.split()[1] for line in status if line.startswith(("SigIgn:", "SigCgt:"))]

    def crash(self):
        """The JVM's own report of its end, or None."""
        return next((line.strip("# ") for line in self.out + self.err if line.startswith(("# C ", "# V "))), None)

    def cpu_seconds(self):
        return cpu_seconds(self.pid)

    def open_attach_channel(self):
        """Makes the JVM listen for attach requests; returns the path of its socket."""
        path = pathlib.Path(f"/tmp/.java_pid{self.pid}")
        if not path.exists():
            trigger = pathlib.Path(f"/tmp/.attach_pid{self.pid}")
            trigger.touch()
            os.kill(self.pid, signal.SIGQUIT)
            wait_until(path.exists, f"attach socket {path}")
            trigger.unlink()
        return path

    def attach(self, options, agent=AGENT):
        """Commands the agent over the JVM's attach socket; returns the reply, which holds `return code: 0` when done.

        The launcher does the same; this way costs no process, so a thousand commands take a second.
        """
        path = self.open_attach_channel()
        with socket.socket(socket.AF_UNIX) as channel:
            channel.connect(str(path))
            channel.sendall(b"".join(word.encode() + b"\0" for word in ("1", "load", str(agent), "true", options)))
            reply = b"".join(iter(lambda: channel.recv(4096), b"")).decode()
        if not reply:
            raise RuntimeError(f"the JVM hung up on '{options}': {self.crash() or f'exit status {self.process.poll()}'}")
        # JDK 8 gives the agent's own result as a bare number.
        return re.sub(r"\A0\n(-?\d+)\n\Z", r"0\nreturn code: \1\n", reply)


def rounds_until(condition, what, patience=PATIENCE):
    """A round of a loop each time, until the condition holds; a RuntimeError names the missing event."""
    deadline = time.monotonic() + patience
    while not condition():
        if time.monotonic() > deadline:
            raise RuntimeError(f"{what} did not come in {patience} s")
        yield


def wait_until(condition, what, patience=PATIENCE):
    """Polls until the condition holds."""
    for _ in rounds_until(condition, what, patience):
        time.sleep(0.01)


def hearth(*arguments, status=0):
    """Runs the launcher, which must exit with `status` (None: any); returns the finished process."""
    done = subprocess.run([str(LAUNCHER), *map(str, arguments)], capture_output=True, text=True, timeout=PATIENCE,
                          check=False)
    if status is not None and done.returncode != status:
        command = " ".join(map(str, arguments))
        raise RuntimeError(f"hearth {command} ended with {done.returncode}: {done.stderr.strip()}")
    return done


def returns_to(count, bound, what):
    """Waits until `count()` is at most `bound`: a leak never goes down, resources that the JVM is still closing do."""
    wait_until(lambda: count() <= bound, f"the return from {count()} to {bound} {what}")


class Scratch:
    """A directory that every user may read, gone at the end of the `with` block."""

    def __enter__(self):
        self.path = pathlib.Path(tempfile.mkdtemp(prefix="hearth-check-"))
        self.path.chmod(0o755)
        return self.path

    def __exit__(self, *_):
        shutil.rmtree(self.path, ignore_errors=True)


def _prepare_child():
    pr_set_pdeathsig = 1
    ctypes.CDLL(None).prctl(pr_set_pdeathsig, signal.SIGKILL)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)  # nohup's way of ignoring it would be inherited
