"""CPU time of each run of a profiler's signal handler, by the library made of handler_times.c in the profiled process."""
import collections
import struct
import subprocess

from lib.jvm import ROOT

PLACES = 1 << 20
COUNT, RUN = struct.Struct("Q"), struct.Struct("II")


class HandlerTimes:
    """The times of one JVM, started with `environment`."""

    def __init__(self, directory):
        library = directory / "handler_times.so"
        if not library.exists():
            source = ROOT / "integration/lib/native/handler_times.c"
            subprocess.run(["cc", "-O2", "-shared", "-fPIC", "-o", library, source], check=True)
        self.file = directory / "handler-times"
        self.file.write_bytes(b"")
        self.environment = {"LD_PRELOAD": str(library), "HANDLER_TIMES": str(self.file)}

    def count(self):
        """Runs so far; 0 before the process has started."""
        with self.file.open("rb") as file:
            return COUNT.unpack(file.read(COUNT.size).ljust(COUNT.size, b"\0"))[0]

    def of_busiest_thread(self, begin, end):
        """Nanoseconds of the runs numbered `begin` to `end`, sorted, of the thread that had most."""
        by_thread = collections.defaultdict(list)
        data = self.file.read_bytes()
        for number in range(begin, end):
            tid, ns = RUN.unpack_from(data, COUNT.size + number % PLACES * RUN.size)
            by_thread[tid].append(ns)
        return sorted(max(by_thread.values(), key=len))
