"""The main thread of a Clojure program from its start on: how many of its stacks begin where they truly do."""
import collections
import itertools

from lib.stacks import Stacks, is_marker, outermost_java

MAIN = "clojure/main.main"
# Java methods that the launcher and the JVM call on a thread that has no Java frames yet.
JAVA_ENTRIES = {MAIN, "clojure/main.<clinit>", "sun/launcher/LauncherHelper.checkAndLoadMain", "java/lang/Thread.exit"}
# Where a thread begins in native code. A stripped libc or libjli has no names for these functions and appears in their place.
STRIPPED = "libc.so.6"
NATIVE_ENTRIES = {"clone3", "__clone3", "__clone", "start_thread", "ThreadJavaMain", "JavaMain", "libjli.so"}


def main_thread(stacks):
    """Its stacks without the thread frame (profiles made with `threads`; profilers differ in how they name it)."""
    weights = collections.Counter()
    for frames, weight in stacks.items:
        if MAIN in frames:
            weights[frames[0]] += weight
    if not weights:
        raise RuntimeError("no thread runs clojure.main")
    thread = weights.most_common(1)[0][0]
    return Stacks([(frames[1:], weight) for frames, weight in stacks.items if frames[0] == thread])


def is_whole(frames):
    """Its outermost Java frame is a true entry; or it has none, no mark of lost ones, and a native entry."""
    outermost = outermost_java(frames)
    if outermost is not None:
        return outermost in JAVA_ENTRIES
    named = itertools.dropwhile(lambda frame: frame == STRIPPED, frames)
    return next(named, None) in NATIVE_ENTRIES and not any(map(is_marker, frames))


def whole_share(stacks):
    main = main_thread(stacks)
    return main.where(is_whole).total() / main.total()


def cut_stacks(stacks):
    """The outermost frames of the stacks that are not whole, heaviest first."""
    beginnings = collections.Counter()
    for frames, weight in main_thread(stacks).where(lambda frames: not is_whole(frames)).items:
        beginnings[frames[0], outermost_java(frames)] += weight
    return beginnings.most_common(4)
