"""The two profilers that the benchmark compares, each behind the same few calls."""
import re
import subprocess
import zipfile

from lib import jvm, quality

PEER = "tools.profiler:async-profiler:4.5:jar:linux-x64"


def succeed(java, agent, options):
    reply = java.attach(options, agent.path)
    if "return code: 0" not in reply:
        raise RuntimeError(f"{agent.name}: {options}: {reply.strip()}")


class Hearth:
    name = "hearth"
    path = jvm.AGENT
    options = ""
    exact = "start,exact"

    def samples(self, java, directory):
        """The agent's own report so far."""
        reply = directory / "reply"
        reply.write_text("")
        succeed(java, self, f"status,reply={reply}")
        found = re.search(r"([\d,]+) samples?", reply.read_text())
        return int(found[1].replace(",", "")) if found else 0

    def walk_ns(self, java, directory):
        """Nanoseconds of a stack walk on average, as the profile records them."""
        file = directory / "times.pb.gz"
        succeed(java, self, f"dump,pprof,file={file}")
        return int(quality.read(file)["walk_ns_mean"])


class AsyncProfiler:
    name = "async-profiler"
    options = ",features=stats"

    def __init__(self, path):
        self.path = path

    def metric(self, java, directory, name):
        file = directory / "metrics"
        succeed(java, self, f"metrics,file={file}")
        return int(re.search(rf"^{name} (\d+)", file.read_text(), re.MULTILINE)[1])

    def samples(self, java, directory):
        return self.metric(java, directory, "samples_total")

    def walk_ns(self, java, directory):
        return self.metric(java, directory, "stackwalk_ns_avg")


class Plain:
    """The agent of plain_allocations.c."""

    name = "plain"
    exact = "start"

    def __init__(self, jdk, directory):
        self.path = jdk.compile_native("plain_allocations.c", directory, ["-fvisibility=hidden"])


def fetch_peer():
    """async-profiler's library, fetched once into the cache of downloads."""
    directory = jvm.CACHE / "bench"
    library = directory / "linux-x64/libasyncProfiler.so"
    if not library.exists():
        subprocess.run([jvm.ROOT / "integration/install", "bench"], check=True)
        copy = ["mvn", "-q", "dependency:copy", f"-Dartifact={PEER}", f"-DoutputDirectory={directory}"]
        subprocess.run(copy, check=True)
        with zipfile.ZipFile(next(directory.glob("async-profiler-*.jar"))) as archive:
            archive.extract("linux-x64/libasyncProfiler.so", directory)
    return library
