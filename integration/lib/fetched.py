"""Files from registries for checks and benchmarks: fetched into the cache of downloads, once."""
import platform
import subprocess

from lib import jvm
from lib.ticks import Skipped


class NotThere(Exception):
    """It cannot be had here."""


def fetched(name, command, pattern):
    """The file that the command puts into the cache of downloads, once."""
    directory = jvm.CACHE / "bench"
    directory.mkdir(parents=True, exist_ok=True)
    if not any(directory.glob(pattern)):
        done = subprocess.run(command, cwd=directory, capture_output=True, text=True, check=False)
        if done.returncode != 0 or not any(directory.glob(pattern)):
            said = (done.stdout + done.stderr).strip().splitlines() or [f"exit status {done.returncode}"]
            raise NotThere(f"{name} cannot be fetched: {said[0]}")
    return next(directory.glob(pattern))


def maven(goal, *settings):
    subprocess.run([jvm.ROOT / "integration/install", "bench"], check=True)
    return ["mvn", "-q", f"org.apache.maven.plugins:maven-dependency-plugin:2.8:{goal}", "-Dtransitive=false", *settings]


def maven_jar(artifact):
    """A jar of Maven Central, by GROUP:NAME:VERSION."""
    _, name, version = artifact.split(":")
    pattern = f"{name}-{version}.jar"
    command = [] if (jvm.CACHE / "bench" / pattern).exists() else maven("copy", f"-Dartifact={artifact}", "-DoutputDirectory=.")
    return fetched(name, command, pattern)


def jni_libraries():
    """The jars of libraries in C and C++, which integration/install test brings; skips the case where they are not, or cannot run."""
    folder = jvm.CACHE / "jni"
    if not (folder / "fetched").exists():
        raise Skipped(f"RocksDB, V8, BoringSSL and Netty are not in {folder}; integration/install test brings them")
    if platform.machine() != "x86_64":
        raise Skipped("these libraries are for x86-64")
    return [*folder.glob("*.jar")]
