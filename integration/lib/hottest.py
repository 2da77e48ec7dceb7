"""Where the time of a collapsed profile goes, short enough for a terminal: layers, hottest paths, hottest frames."""
import collections
import re
import shutil
import sys

from stacks import Stacks, is_clojure, is_java, is_kernel

COUNT = 10
STEPS = 4
SYSTEM_CALL = re.compile(r"(__x64_sys_|ksys_|__sys_)")
LAYERS = (
    ("JSON (Cheshire, Jackson)", r"cheshire\.|com/fasterxml/jackson/"),
    ("Clojure", r"clojure[./]|service/"),
)


def package(frame):
    """What a frame belongs to; a run of frames of one package is one step of a path."""
    if is_kernel(frame):
        return "kernel"
    if is_clojure(frame):
        return frame.partition("/")[0]
    if is_java(frame):
        return frame.rpartition("/")[0]
    return frame.rpartition("::")[0] or frame


def short(frame):
    """Without the package of a Java class; everything else as it is."""
    return frame.rpartition("/")[2] if is_java(frame) and not is_clojure(frame) else frame


def path(frames):
    """The inner end of a stack, one frame a package; in the kernel the system call says more than the innermost one."""
    steps = []
    for frame in frames:
        if steps and package(steps[-1]) == package(frame):
            if SYSTEM_CALL.match(steps[-1]):
                continue
            steps.pop()
        steps.append(frame)
    return tuple(short(step) for step in steps[-STEPS:])


def layer(frame):
    if is_kernel(frame):
        return "kernel"
    if not is_java(frame):
        return "JVM and libraries"
    return next((name for name, pattern in LAYERS if re.match(pattern, frame)), "JDK")


def totals(stacks, key):
    """The COUNT heaviest (key, share) of the profile."""
    sums = collections.Counter()
    for frames, weight in stacks.items:
        sums[key(frames)] += weight
    return [(name, weight / stacks.total()) for name, weight in sums.most_common(COUNT)]


def fit(text, width):
    """Cut in the front: the end of a path is what tells it from others."""
    return text if len(text) <= width else "…" + text[1 - width:]


def main():
    stacks = Stacks.read(sys.argv[1])
    terminal = sys.stdout.isatty()
    width = shutil.get_terminal_size().columns - 12 if terminal else 110
    bold, plain = ("\x1b[1m", "\x1b[0m") if terminal else ("", "")

    def table(title, rows):
        print(f"\n{bold}{title}{plain}")
        for name, share in rows:
            print(f"  {share:6.1%}  {fit(name, width)}")

    table("time by layer", totals(stacks, lambda frames: layer(frames[-1])))
    table("hottest paths", [(" → ".join(steps), share) for steps, share in totals(stacks, path)])
    table("hottest frames", totals(stacks, lambda frames: frames[-1]))


if __name__ == "__main__":
    main()
