"""JVMs with a pushed store, and the profiles that servers got against those in the store's files."""
import collections
import contextlib
import pathlib

from lib.jvm import JAR, Java, agent_option, hearth
from lib.labelled import groups
from lib.push import otlp
from lib.ticks import expect

STORE = "start,store={store},window=1s,loglevel=warn,log={log},push=http://{user}127.0.0.1:{port}{path}{more}"
LABELS = {"thread": "thread.name"}  # hearth's names that are different in OpenTelemetry


@contextlib.contextmanager
def pushing(jdk, directory, server, store, user="", path="", more="", main=("Busy", "line"), jars=JAR):
    """A busy JVM that pushes its store to `server`, a port or an object with one."""
    log = pathlib.Path(f"{store}.log")
    port = getattr(server, "port", server)
    option = agent_option(STORE.format(store=store, log=log, user=user, port=port, path=path, more=more))
    with Java(jdk, [option, "-cp", f"{directory}:{jars}", *main]) as java:
        java.log = log
        java.expect_line("ready")
        yield java


def windows(store):
    return sorted(file.name for file in (pathlib.Path(store) / "windows").glob("*.pb.gz"))


def ends_well(java, word="end"):
    java.tell(word)
    expect(java.wait() == 0, "exit status 0", java.err[-2:])


def log_of(java):
    """The whole log of the agent: a command from outside sets the log file again."""
    file = java.log.read_text(encoding="utf-8") if java.log.exists() else ""
    return "\n".join([file, *java.err])


def status(java):
    return hearth("status", java.pid).stdout


def stored(file, label, event):
    """A window's report by the label's value. In a short one no sample of an event may have the label, which is refused."""
    done = hearth("report", "--json", "-e", event, "--by", label, file, status=None)
    if f"has no label {label};" not in done.stderr:
        return groups(file, label, event, "--top", "1000")
    total = sum(groups(file, "thread", event, "--top", "1000").values())
    return {"": total} if total else {}


def expect_equal(found, wanted, what):
    expect(found == wanted, f"the same {what}", sorted(set(found.items()) ^ set(wanted.items()))[:6])


def expect_as_stored(requests, store, directory):
    """Each request has all samples of a window of the store, as its reports show them, by label and event."""
    files = {otlp.begin_ms(name): store / "windows" / name for name in windows(store)}
    seen = collections.defaultdict(set)
    for request in requests:
        file = files[request.begin_ms]
        for event, kind, label in (("cpu", "cpu", "tenant"), ("wall", "wall", "thread"), ("alloc", "alloc_space", "endpoint")):
            wanted = stored(file, label, event)
            expect_equal(request.sums(kind, LABELS.get(label, label)), wanted, f"{event} by {label}")
            seen[label] |= set(wanted)
        for event, kind in (("cpu", "cpu"), ("alloc", "alloc_space")):
            stacks = otlp.collapsed(file, event, directory)
            expect_equal(request.sums(kind, "stack"), stacks, f"{event} by stack")
            seen[kind] |= set(stacks)
    return seen
