"""OpenTelemetry's own collector, as integration/install collector builds it: it takes profiles by OTLP and hands them on."""
import re
import signal
import socket
import subprocess
import urllib.request

from lib.jvm import CACHE, PATIENCE, wait_until

FOLDER = CACHE / "collector"
GATE = "--feature-gates=service.profilesSupport"
READY = "Everything is ready"
CONFIG = """\
receivers:
  otlp:
    protocols:
      http:
        endpoint: 127.0.0.1:{port}
exporters:
  debug:
  otlp_http:
    endpoint: http://127.0.0.1:{next_port}
    sending_queue:
      enabled: {keeps}
    retry_on_failure:
      enabled: {keeps}
service:
  telemetry:
    logs:
      sampling: # or some lines of a kind that come often are left out
        enabled: false
    metrics:
      readers:
        - pull:
            exporter:
              prometheus:
                host: 127.0.0.1
                port: {metrics_port}
  pipelines:
    {pipeline}:
      receivers: [otlp]
      exporters: [debug, otlp_http]
"""


def versions():
    """Those that are built."""
    return sorted(file.parent.name for file in FOLDER.glob("*/otelcol"))


def free_port():
    with socket.socket() as some:
        some.bind(("127.0.0.1", 0))
        return some.getsockname()[1]


class Otelcol:
    """Runs until the `with` block ends, and hands on to a port of 127.0.0.1. `keeps`: it answers before it has handed on, as it does
    by default."""

    def __init__(self, version, directory, next_port, pipeline="profiles", gate=GATE, keeps=True, port=None):
        self.port, self.metrics_port = port or free_port(), free_port()
        self.config, self.log = directory / "otelcol.yaml", directory / "otelcol.log"
        self.config.write_text(CONFIG.format(port=self.port, next_port=next_port, metrics_port=self.metrics_port, pipeline=pipeline,
                                             keeps=str(keeps).lower()), encoding="utf-8")
        self.command = [FOLDER / version / "otelcol", *([gate] if gate else []), f"--config={self.config}"]
        self.process = None

    def start(self):
        begins = self.said().count(READY)
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(self.command, stdout=log, stderr=log)
        wait_until(lambda: self.said().count(READY) > begins or self.process.poll() is not None, "a collector")
        return self

    def said(self):
        return self.log.read_text(encoding="utf-8") if self.log.exists() else ""

    def end(self, how=signal.SIGTERM):
        self.process.send_signal(how)
        self.process.wait(PATIENCE)

    def metric(self, name):
        """Of all with this in their names, by the part before: releases differ in the names."""
        with urllib.request.urlopen(f"http://127.0.0.1:{self.metrics_port}/metrics", timeout=PATIENCE) as reply:
            lines = reply.read().decode().splitlines()
        return sum(float(line.rsplit(" ", 1)[1]) for line in lines if re.match(rf"otelcol_\w*{name}\w*[{{ ]", line))

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.end(signal.SIGKILL)
