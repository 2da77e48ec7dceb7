"""The eight leaks of workloads/alloc/Planted.java, and where a list of sites has them."""
import json

NATIVE = {"malloc": "Planted$Malloc.leakMalloc", "mmap": "Planted$Mapping.leakMmap", "unsafe": "Planted$OffHeap.leakUnsafe",
          "direct": "Planted$Direct.leakDirect"}
ON_HEAP = {"global": "Planted$Global.leakGlobal", "map": "Planted$Cached.leakMap", "threadlocal": "Planted$Local.leakThreadLocal",
           "listener": "Planted$Listening.leakListener"}
LEAKS = {**NATIVE, **ON_HEAP}
# The root that holds the objects of each.
ROOTS = {"global": "JNI global reference", "map": "static Planted$Cached.leaked", "threadlocal": "thread-local of thread service",
         "listener": "static Planted$Listening.listeners"}
NOT_INLINED = ("-XX:CompileCommand=quiet", "-XX:CompileCommand=dontinline,Planted*.leak*")


def arguments(library, directory, healthy, leaks, bytes_a_second, seconds_kept):
    """For java: the kinds of memory in healthy use, those that leak, the speed of each leak, and how long healthy memory lives."""
    names = [",".join(kinds) or "none" for kinds in (healthy, leaks)]
    return [*NOT_INLINED, "-cp", directory, "Planted", library, *names, bytes_a_second, seconds_kept]


class Found:
    """The output of `hearth leaks --json`."""

    def __init__(self, printed):
        self.report = json.loads(printed)
        self.sites = {kind["event"]: kind["sites"] for kind in self.report["kinds"]}

    def rank(self, leak):
        """Of the first site that is the leak's among those that leak in its list, from 1; None: there is none."""
        sites = self.sites["native-live" if leak in NATIVE else "live"]
        ranks = [rank for rank, site in enumerate(sites, 1) if site["leaks"] and LEAKS[leak] in site["frames"]]
        return min(ranks, default=None)

    def holders(self, leak):
        """Of the leak's sites that leak: the path of most objects of each."""
        sites = [site for site in self.sites["live"] if site["leaks"] and LEAKS[leak] in site["frames"]]
        return [site["holders"][0]["path"] for site in sites if site.get("holders")]

    def false(self):
        """The sites that are called leaks and are none of the eight."""
        leaking = [site["frames"] for sites in self.sites.values() for site in sites if site["leaks"]]
        return [frames for frames in leaking if not set(LEAKS.values()) & set(frames)]
