"""Collapsed stacks, read for assertions: which frames are there, their kinds, the share of each."""
import collections
import re

THREAD = re.compile(r"^\[(?P<name>.*) tid=(?P<tid>\d+)\]$")
NO_PACKAGE = re.compile(r"[\w$]+\.[\w$.<>]+(\(|$)")
GENERATED = re.compile(r"--\d+")
LIBRARY = re.compile(r"\.so(\.|$)")


class Stacks:
    """Stacks with their weights: `items` is a list of (frames, weight), frames outermost first."""

    def __init__(self, items):
        self.items = items

    @classmethod
    def read(cls, path):
        with open(path, encoding="utf-8") as file:
            return cls.parse(file.read())

    @classmethod
    def parse(cls, text):
        items = []
        for line in text.splitlines():
            frames, _, weight = line.rpartition(" ")
            if frames:
                items.append((frames.split(";"), int(weight)))
        return cls(items)

    def where(self, keep):
        """Those with frames that satisfy `keep`."""
        return Stacks([(frames, weight) for frames, weight in self.items if keep(frames)])

    def of_thread(self, name):
        """The stacks of threads with this name, without the thread frame (profiles made with `threads`)."""
        found = []
        for frames, weight in self.items:
            thread = THREAD.match(frames[0])
            if thread and thread["name"] == name:
                found.append((frames[1:], weight))
        return Stacks(found)

    def total(self):
        return sum(weight for _, weight in self.items)

    def weight_with(self, pattern):
        """Weight of the stacks in which any frame matches the regular expression from its start."""
        matches = re.compile(pattern).match
        return self.where(lambda frames: any(matches(frame) for frame in frames)).total()

    def share_with(self, pattern):
        """The same as a share of all weight, 0 to 1."""
        return self.weight_with(pattern) / max(self.total(), 1)

    def frames(self):
        """Total weight of each frame, a recursive one counted once a stack."""
        totals = collections.Counter()
        for frames, weight in self.items:
            for frame in set(frames):
                totals[frame] += weight
        return totals

    def leaves(self):
        """Self weight of each frame."""
        totals = collections.Counter()
        for frames, weight in self.items:
            totals[frames[-1]] += weight
        return totals


def in_order(frames, *wanted):
    """True if the frames have the wanted ones in this order."""
    rest = iter(frames)
    return all(any(one == frame for frame in rest) for one in wanted)


def is_marker(frame):
    """One of the bracketed words for unresolved frames; `[libz.so]` is a library without symbols."""
    return bool(re.fullmatch(r"\[[A-Za-z_ ]+\]", frame))


def is_kernel(frame):
    return frame.endswith("_[k]")


def is_java(frame):
    """A Java or Clojure frame; C++ names, kernel functions, libraries and bracketed words are none."""
    if frame.startswith("[") or is_kernel(frame) or "`" in frame or "::" in frame or LIBRARY.search(frame):
        return False
    return "/" in frame or bool(NO_PACKAGE.match(frame))


def is_clojure(frame):
    """`namespace/function` where Java has `package/Class.method`; `fn--12.<init>` is a function's own class."""
    return is_java(frame) and ("." not in frame.rpartition("/")[2] or bool(GENERATED.search(frame)))


def outermost_java(frames):
    """The first Java frame from the outside, or None."""
    return next((frame for frame in frames if is_java(frame)), None)
