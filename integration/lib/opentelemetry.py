"""OpenTelemetry's jars, as an application has them."""
import pathlib

from lib.ticks import Skipped

VERSION = "1.40.0"
REPOSITORY = pathlib.Path.home() / ".m2/repository/io/opentelemetry"


def class_path():
    """The API and the SDK that makes spans."""
    versions = {"context": VERSION, "api": VERSION, "api-incubator": f"{VERSION}-alpha", "sdk-common": VERSION, "sdk-trace": VERSION}
    jars = [REPOSITORY / f"opentelemetry-{part}" / version / f"opentelemetry-{part}-{version}.jar" for part, version in versions.items()]
    if missing := [jar for jar in jars if not jar.exists()]:
        raise Skipped(f"{missing[0]} is not there; mvn dependency:get -Dartifact=io.opentelemetry:opentelemetry-sdk:{VERSION} brings it")
    return ":".join(map(str, jars))
