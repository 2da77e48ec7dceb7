"""Pages of a large JFR recording: time and memory of hearth's convert and of async-profiler's converter."""
import os
import subprocess
import time

from lib import jvm
from lib.benchmarks.pages import CONVERTER
from lib.benchmarks.score_table import ratio_at_most
from lib.fetched import maven_jar


def real_recording(bench):
    """Of a program that decodes JSON, with the JDK's profile settings."""
    file = bench.directory / "real.jfr"
    record = f"-XX:StartFlightRecording=filename={file},settings=profile"
    with bench.java([record, *bench.clojure(bench.size.recorded_decodes)]) as java:
        java.wait()
    return file


def repeated(file, large, size):
    """Recordings are chunks one after the other, so that two of them are one."""
    chunk = file.read_bytes()
    with large.open("wb") as out:
        while out.tell() < size:
            out.write(chunk)


def timed(command):
    """Seconds, and the largest resident set in MB."""
    began = time.monotonic()
    with subprocess.Popen([str(word) for word in command], stdout=subprocess.DEVNULL) as process:
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise RuntimeError(f"{command[0]} ended with {process.returncode}")
    return time.monotonic() - began, used.ru_maxrss / 1024


def measure(bench):
    if bench.round > 0:
        return
    large = bench.directory / "large.jfr"
    repeated(real_recording(bench), large, bench.size.recording_bytes)
    makers = {"hearth": [jvm.LAUNCHER, "convert"], "async-profiler": [bench.jdk.java(), "-jar", maven_jar(CONVERTER), "-o", "html"]}
    for name, command in makers.items():
        page = bench.directory / f"{name}.html"
        seconds, memory = timed([*command, large, page])
        bench.table.record("page of a recording, made in", "s", name, seconds, ratio_at_most(1))
        bench.table.record("page of a recording, memory", "MB", name, memory, ratio_at_most(1))
        bench.table.record("page of a recording, size", "MB", name, page.stat().st_size / 1e6)
        page.unlink()
    large.unlink()
