"""OpenTelemetry's jars, as an application has them."""
from lib.jvm import CACHE
from lib.ticks import Skipped

FOLDER = CACHE / "opentelemetry"


def jars(name):
    if not (FOLDER / "fetched").exists():
        raise Skipped(f"OpenTelemetry's jars are not in {FOLDER}; integration/install test brings them")
    return sorted(FOLDER.glob(name))


def class_path():
    """The API and the SDK that makes spans."""
    return ":".join(str(jar) for jar in jars("opentelemetry-[!j]*.jar"))


def java_agent():
    return jars("opentelemetry-javaagent-*.jar")[0]
