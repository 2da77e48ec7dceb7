"""JVMs as the launcher meets them: another user's, in a container, with a name of their own."""
import contextlib
import os
import pathlib
import pty
import shutil
import signal
import subprocess

from lib.jvm import AGENT, LAUNCHER, PATIENCE, Java, hearth, wait_until
from lib.ticks import Skipped, expect

NOBODY = 65534
AS_NOBODY = ("setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups")
# Inside, the classes are at CLASSES: /tmp, where the checks keep theirs, is another one there.
CLASSES = "/mnt"
ENTER = """
{hide}
mount --bind "$1" """ + CLASSES + """ && mount -t tmpfs -o "$2" tmpfs /tmp && mount -t proc proc /proc || exit
shift 2
exec "$@"
"""


def need_root():
    if os.geteuid() != 0:
        raise Skipped("only root can be another user or make a container")


def need_containers():
    need_root()
    tried = subprocess.run(["unshare", "--mount", "--pid", "--fork", "true"], capture_output=True, text=True, check=False)
    if tried.returncode != 0:
        raise Skipped(f"no namespaces here: {tried.stderr.strip()}")


@contextlib.contextmanager
def busy(jdk, directory, *options, main="Busy", **how):
    """A JVM that works until the block ends; `options` go before the main class."""
    with Java(jdk, [*options, "-cp", directory, main, "line"], **how) as java:
        java.expect_line("ready")
        yield java


@contextlib.contextmanager
def contained(jdk, directory, tmp="mode=1777", as_user=(), see_agent=False, **how):
    """The same in a mount and a pid namespace of its own, with a /tmp of its own; hides the agent's folder by default.
    Yields the JVM and its pid here."""
    need_containers()
    hide = "" if see_agent else f'mount -t tmpfs tmpfs "{AGENT.parent}" || exit'
    prefix = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-c", ENTER.format(hide=hide), "sh", str(directory), tmp]
    with busy(jdk, CLASSES, prefix=[*prefix, *as_user], **how) as java:
        pid = child_of(java.pid)
        try:
            yield java, pid
        finally:  # a process that changed its user does not end with unshare
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


def child_of(pid):
    return int(pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="utf-8").split()[0])


def refused(*arguments, says, status=1):
    """Runs the launcher, which must fail with one line that holds every word of `says`; returns the line."""
    done = hearth(*arguments, status=None)
    expect(done.returncode == status, f"exit status {status}", (done.returncode, done.stderr))
    expect(done.stderr.startswith("hearth: ") and done.stderr.count("\n") == 1, "one line on standard error", done.stderr)
    for word in says:
        expect(str(word) in done.stderr, f"a line that names '{word}'", done.stderr)
    expect(done.stdout == "", "nothing on standard output", done.stdout)
    return done.stderr


def copy_of_launcher(directory, mode=0o755):
    """The launcher and the agent in a folder of their own, which other users may use as far as `mode` lets them."""
    home = directory / "copy"
    for file in (LAUNCHER, AGENT):
        place = home / file.parent.name
        place.mkdir(parents=True, exist_ok=True)
        shutil.copy(file, place)
    home.chmod(mode)
    return home / "bin" / LAUNCHER.name


def profiling(pid):
    """Waits until a profile is being taken that holds the work of `Busy`."""
    def seen():
        running = "running" in hearth("status", pid, status=None).stdout  # a dump shows a stopped session as well
        return running and "Busy.work" in hearth("dump", "-o", "collapsed", pid, status=None).stdout
    wait_until(seen, f"a profile of process {pid}")


def on_terminal(*arguments):
    """Runs the launcher with a terminal as its standard error; returns exit status, standard output and the terminal's text."""
    ours, theirs = pty.openpty()
    with subprocess.Popen([str(LAUNCHER), *map(str, arguments)], stdout=subprocess.PIPE, stderr=theirs) as process:
        os.close(theirs)
        drawn = b""
        with contextlib.suppress(OSError):  # the end of a terminal is EIO
            while chunk := os.read(ours, 4096):
                drawn += chunk
        output = process.stdout.read()
        process.wait(timeout=PATIENCE)
    os.close(ours)
    return process.returncode, output.decode(), drawn.decode()


def fill(path):
    """Fills the file system of the new file at `path`."""
    with open(path, "wb", buffering=0) as file:
        try:
            while True:
                file.write(b"x" * 4096)
        except OSError:
            pass


def left_behind(pid, tmp=pathlib.Path("/tmp")):
    """Files that the launcher should have removed from the /tmp of a process."""
    return [path.name for path in tmp.iterdir() if path.name.startswith(f".hearth-{pid}-") or path.name == f".attach_pid{pid}"]
