"""Where the time of a collapsed profile goes, short enough for a terminal: layers, hottest paths, hottest frames."""
import collections
import re
import shutil
import sys

from stacks import Stacks, is_clojure, is_java, is_kernel

COUNT = 10
STEPS = 4
# Frames at the start of every thread, and on the way into every system call: the next one is more specific.
PASSED_BY = re.compile(r"clone|start_thread|libc\.so|thread_native_entry|\w*Thread::(call_run|run|thread_main_inner)$"
                       r"|entry_SYSCALL|do_syscall|x64_sys_call|asm_|JavaCalls?::|JavaMain|ThreadJavaMain|jni_|JVM_")
LAYERS = (
    ("JSON (Cheshire, Jackson)", r"cheshire\.|com/fasterxml/jackson/"),
    ("Clojure", r"clojure[./]|service/"),
)


def package(frame):
    """The package of a frame; a run of frames of one package is one step of a path."""
    if is_kernel(frame):
        return "kernel"
    if is_clojure(frame):
        return frame.partition("/")[0]
    return frame.rpartition("/")[0] if is_java(frame) else "native"


def short(frame):
    """Without the package of a Java class; everything else as it is."""
    return frame.rpartition("/")[2] if is_java(frame) and not is_clojure(frame) else frame


def path(frames):
    """The inner end of a stack by the functions through which it entered each package.

    A Clojure namespace that appears again by recursion is one step, with all frames in between.
    """
    steps = []
    for frame in frames:
        packages = [package(step) for step in steps]
        if is_clojure(frame) and package(frame) in packages:
            del steps[packages.index(package(frame)) + 1:]
        elif packages[-1:] != [package(frame)]:
            steps.append(frame)
        elif PASSED_BY.match(steps[-1]):
            steps[-1] = frame
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
    """Cut in the front: the end of a path distinguishes it from others."""
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
