"""One line a case: `✓ name`, `✗ name: why`, `– name: why it could not run here`; exit status 1 when any failed.

    for jdk in ticks.start(__doc__).jdks:
        with ticks.case(f"survives a SIGTERM on {jdk}") as note:
            expect(process.returncode == 143, "exit status", process.returncode)
            note("1.2 s")  # appears after the name
    ticks.finish()
"""
import argparse
import contextlib
import subprocess
import sys
import traceback

from lib import jvm


class Failed(Exception):
    """The expectation and the finding."""


class Skipped(Exception):
    """Why a case cannot run on this machine."""


_failures = 0


def start(description, side_by_side=False, one_jdk=False, flags=None):
    """Reads the command line every check shares; its `jdks` are those to run on.

    `side_by_side`: of a check that measures nothing and mostly waits; several JDKs have a process each, at one time.
    `one_jdk`: of a check that is the same on every JDK: the last of them only.
    `flags`: switches of this check alone, each with its help.
    """
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jdk", default="", help="only JDKs of /usr/lib/jvm with this word in their path")
    for flag, about in (flags or {}).items():
        parser.add_argument(flag, action="store_true", help=about)
    options = parser.parse_args()
    options.jdks = [jdk for jdk in jvm.installed_jdks() if options.jdk in jdk.home]
    if one_jdk:
        options.jdks = options.jdks[-1:]
    if not options.jdks:
        sys.exit(f"✗ no JDK with '{options.jdk}' in its path under /usr/lib/jvm; run integration/install build")
    if not jvm.AGENT.exists():
        sys.exit(f"✗ {jvm.AGENT} is not there; run integration/build")
    if side_by_side and len(options.jdks) > 1:
        sys.exit(_run_each(options.jdks))
    return options


def _run_each(jdks):
    runs = [subprocess.Popen([sys.executable, *sys.argv, "--jdk", jdk.home], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            for jdk in jdks]
    for run in runs:
        print(run.communicate()[0], end="", flush=True)
    return max(run.returncode for run in runs)


@contextlib.contextmanager
def case(name):
    """One line of the report. An error inside fails this case only; the next one runs.

    Gives a function for measured values: its texts appear after the name of a case that succeeds.
    """
    global _failures
    notes = []
    try:
        yield notes.append
    except Skipped as reason:
        print(f"– {name}: {reason}", flush=True)
    except Failed as reason:
        _failures += 1
        print(f"✗ {name}: {reason}", flush=True)
    except Exception:  # a broken check must count as a failed one, with its place
        _failures += 1
        print(f"✗ {name}: the check itself failed", flush=True)
        traceback.print_exc()
    else:
        print(f"✓ {': '.join([name, *notes])}", flush=True)


def expect(condition, what, *found):
    """Fails the case with the expectation `what`, and with the values `found` instead if there are any."""
    if not condition:
        raise Failed(f"{what}; found {', '.join(map(repr, found))}" if found else what)


def expect_near(found, truth, bound, what, note):
    """Fails the case if an amount of `what` is off by more than the bound, a share; notes by how much it is off."""
    expect(abs(found / truth - 1) <= bound, f"{truth:.0f} {what}, within {bound:.0%}", f"{found:.0f}")
    note(f"{what} {found / truth - 1:+.1%}")


def finish():
    sys.exit(1 if _failures else 0)
