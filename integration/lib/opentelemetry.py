"""OpenTelemetry's jars, as an application has them."""
import pathlib

from lib.ticks import Skipped

VERSION, AGENT_VERSION = "1.40.0", "2.6.0"
REPOSITORY = pathlib.Path.home() / ".m2/repository"


def jar(group, name, version):
    path = REPOSITORY / group.replace(".", "/") / name / version / f"{name}-{version}.jar"
    if not path.exists():
        raise Skipped(f"{path} is not there; mvn dependency:get -Dartifact={group}:{name}:{version} brings it")
    return path


def class_path():
    """The API and the SDK that makes spans."""
    versions = {"context": VERSION, "api": VERSION, "api-incubator": f"{VERSION}-alpha", "sdk-common": VERSION, "sdk-trace": VERSION}
    return ":".join(str(jar("io.opentelemetry", f"opentelemetry-{part}", version)) for part, version in versions.items())


def java_agent():
    return jar("io.opentelemetry.javaagent", "opentelemetry-javaagent", AGENT_VERSION)
