"""Requests of OpenTelemetry's profiles, read by OpenTelemetry's own classes."""
import calendar
import collections
import subprocess
import time

from lib import jvm
from lib.fetched import maven_jar

JARS = ("io.opentelemetry.proto:opentelemetry-proto:1.11.0-alpha", "com.google.protobuf:protobuf-java:4.35.1")

Sample = collections.namedtuple("Sample", "value stack link labels")


class Request:
    def __init__(self):
        self.resource, self.scope, self.profiles, self.begin_ms = {}, None, {}, 0

    def take(self, kind, *words):
        if kind == "resource":
            self.resource[words[0]] = words[1]
        elif kind == "scope":
            self.scope = words
        elif kind == "profile":
            self.profiles[words[0]] = self.last = []
            self.begin_ms = int(words[4]) // 1_000_000
        else:
            self.last.append(Sample(int(words[0]), frames_of(words[1]), words[2], dict(pair.split("=", 1) for pair in words[3:])))

    def sums(self, kind, key):
        """Of one profile, by a label's value ("" without it), by stack or by link."""
        sums = collections.Counter()
        for one in self.profiles.get(kind, ()):
            sums[getattr(one, key) if key in ("stack", "link") else one.labels.get(key, "")] += one.value
        return dict(sums)


def frames_of(stack):
    """As collapsed text has them."""
    return ";".join(name + ("_[k]" if kind == "kernel" else "") for name, kind in (frame.rsplit("/", 1) for frame in stack.split(";")))


class Reader:
    def __init__(self, jdk, directory):
        self.jdk, self.directory = jdk, directory
        self.jars = [maven_jar(artifact) for artifact in JARS]
        jdk.compile("otlp/OtlpLines.java", directory, self.jars)

    def read(self, messages, handed_on=False):
        """`handed_on`: by a collector, and not as hearth wrote them."""
        files = ["--handed-on"] if handed_on else []
        for number, message in enumerate(messages):
            files.append(self.directory / f"message-{number}")
            files[-1].write_bytes(message)
        path = ":".join(map(str, [self.directory, *self.jars]))
        done = subprocess.run([self.jdk.java(), "-cp", path, "OtlpLines", *files], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise RuntimeError(done.stderr)
        requests = []
        for line in done.stdout.splitlines():
            if line == "request":
                requests.append(Request())
            else:
                requests[-1].take(*line.split("\t"))
        return requests


def begin_ms(name):
    """When a window of a store began, by the name of its file."""
    return calendar.timegm(time.strptime(name[:15], "%Y%m%dT%H%M%S")) * 1000 + int(name[16:19])


def collapsed(file, event, directory):
    out = directory / f"{event}.collapsed"
    jvm.hearth("convert", "--total", "-e", event, "-o", "collapsed", file, out)
    return {stack: int(value) for stack, value in (line.rsplit(" ", 1) for line in out.read_text(encoding="utf-8").splitlines())}
