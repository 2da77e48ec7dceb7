"""JFR recordings as the JDK's own tool reads them."""
import collections
import datetime
import json
import re
import subprocess


def jfr(jdk, *arguments):
    """What `jfr` of this JDK prints; it must succeed."""
    done = subprocess.run([f"{jdk.home}/bin/jfr", *map(str, arguments)], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"jfr {arguments[0]} ended with {done.returncode}: {done.stdout[-300:]}{done.stderr[-300:]}")
    return done.stdout


def counts(jdk, file):
    """The number of events of each type."""
    rows = re.findall(r"^ ([\w.]+) +(\d+) +\d+$", jfr(jdk, "summary", file), re.MULTILINE)
    result = collections.Counter()
    for name, count in rows:  # chunks of several writers may have a row each
        result[name] += int(count)
    return result


def events(jdk, file, *types):
    """The values of all events of these types, with the type as "type"."""
    printed = jfr(jdk, "print", "--json", "--stack-depth", 64, "--events", ",".join(types), file)
    return [{"type": one["type"], **one["values"]} for one in json.loads(printed)["recording"]["events"]]


def sums(found, field):
    """The sum of a field by type."""
    result = collections.Counter()
    for event in found:
        result[event["type"]] += nanoseconds(event[field])
    return dict(result)


def moment(text):
    """Nanoseconds since the epoch of a time as 2026-05-01T10:00:00.123456789+02:00."""
    seconds, fraction, zone = re.fullmatch(r"([^.Z+]+)(?:\.(\d+))?(Z|[+-].*)", text).groups()
    whole = datetime.datetime.fromisoformat(seconds + zone.replace("Z", "+00:00"))
    return int(whole.timestamp()) * 10**9 + int((fraction or "0").ljust(9, "0"))


def nanoseconds(value):
    """A number, or a duration as PT1M2.003S."""
    if not isinstance(value, str):
        return value
    parts = re.fullmatch(r"PT(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)(?:\.(\d+))?S)?", value)
    hours, minutes, seconds, fraction = parts.groups(default="0")
    return (int(hours) * 3600 + int(minutes) * 60 + int(seconds)) * 10**9 + int(fraction.ljust(9, "0"))
