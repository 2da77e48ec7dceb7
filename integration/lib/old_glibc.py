"""The files of a release against the JVMs of an older Debian, which is a folder here."""
import contextlib
import pathlib
import subprocess
import sys
import tempfile

from lib.jvm import AGENT, BUILD, PATIENCE, WORKLOADS, Java, Jdk, installed_jdks
from lib.launching import child_of
from lib.stacks import Stacks
from lib.ticks import case, expect, finish

RELEASE = BUILD / "release/x64"
ENTER = 'mount -t proc proc "$1/proc" && mount -t tmpfs -o mode=1777 tmpfs "$1/tmp" && mount --bind "$2" "$1/mnt" && shift 2 && exec chroot "$@"'


def jdks_of(box):
    """Their homes as the box sees them."""
    return sorted({f"/{path.parents[2].resolve().relative_to(box)}" for path in (box / "usr/lib/jvm").glob("*/lib/server/libjvm.so")})


def glibc_of(box):
    said = subprocess.run(["chroot", box, "ldd", "--version"], capture_output=True, text=True, check=True).stdout
    return said.splitlines()[0].split()[-1]


@contextlib.contextmanager
def busy(box, home, classes):
    """A JVM in the box, in namespaces of its own; its pid out here."""
    enter = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-c", ENTER, "sh", str(box), str(classes), str(box)]
    with Java(Jdk(home), ["-cp", "/mnt", "Busy", "line"], prefix=enter) as java:
        java.expect_line("ready")
        yield child_of(java.pid)


def launch(*arguments):
    command = [RELEASE / "bin/hearth", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)


def check_profile(pid):
    done = launch("-d", "2s", "-i", "1ms", "-o", "collapsed", pid)
    expect(done.returncode == 0, "a profile", done.stderr)
    share = Stacks.parse(done.stdout).share_with(r"Busy\.work$")
    expect(share > 0.5, "the busy method", share)
    return share


def files_of(pid):
    return {path.name for path in pathlib.Path(f"/proc/{pid}/root/tmp").iterdir() if path.name.startswith((".hearth", ".attach"))}


def check_plain_build(pid):
    """The library of a developer, which needs the glibc of this machine."""
    done = launch("version", "--libpath", AGENT, pid)
    expect(done.returncode == 1 and done.stderr.count("\n") == 1, "a refusal in one line", done.stderr)
    for word in (str(pid), "GLIBC_2.", "its glibc is older", "hearth release"):
        expect(word in done.stderr, f"a line that names '{word}'", done.stderr)
    expect(not files_of(pid), "nothing left behind", files_of(pid))
    return done.stderr.strip()


def main():
    box = pathlib.Path(sys.argv[1]).resolve()
    glibc = glibc_of(box)
    with tempfile.TemporaryDirectory() as classes:
        subprocess.run([f"{installed_jdks()[-1].home}/bin/javac", "-nowarn", "--release", "8", "-Xlint:-options", "-d", classes,
                        WORKLOADS / "work/Busy.java"], check=True)
        pathlib.Path(classes).chmod(0o755)
        for home in jdks_of(box):
            name = pathlib.Path(home).name
            with busy(box, home, classes) as pid:
                with case(f"a library for a newer glibc than {glibc} is refused, {name}") as note:
                    note(check_plain_build(pid))
                with case(f"a profile under glibc {glibc}, {name}") as note:
                    note(f"{100 * check_profile(pid):.0f} % in the busy method")
    finish()


if __name__ == "__main__":
    main()
