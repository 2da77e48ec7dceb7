"""Profiles by their labels, against the own figures of a workload under labels."""
import json
import re

from lib.jvm import hearth
from lib.ticks import expect


def tell(java, what):
    """The workload's answer to a line, up to "done": by name the numbers behind it."""
    told = len(java.out)
    java.tell(what)
    java.expect_line("done")
    # The JVM may print something between them.
    lines = [line.split() for line in java.out[told:] if re.fullmatch(r"\S+( \d+)+", line)]
    return {name: tuple(map(int, numbers)) for name, *numbers in lines}


def groups(file, key, event, *more):
    """Weight by the label's value; "" is of samples without it."""
    report = json.loads(hearth("report", "--json", "-e", event, "--total", "--by", key, *more, file).stdout)
    return {group["value"]: group["total"] for group in report["by"]["groups"]}


def worst(found, truth, most=0.02):
    """Of each amount by itself; the greatest relative error."""
    errors = {name: found.get(name, 0) / value - 1 for name, value in truth.items()}
    off = max(errors.values(), key=abs)
    expect(abs(off) <= most, f"each within {most:.0%} of the truth", {name: f"{off:+.2%}" for name, off in errors.items()})
    return off
