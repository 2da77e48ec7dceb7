#!/usr/bin/env python3
"""Many clients of one control server at once: some poll its status, others scrape profiles, each on a connection of its own.

They are a process of their own at the lowest priority, so that they take no CPU that the profiled JVM asks for.
"""
import http.client
import json
import os
import subprocess
import sys
import threading
import time


class Crowd:
    """Runs during the `with` block; `told` has its observations afterwards."""

    def __init__(self, control, pollers=64, scrapers=8, period=1.0, window=10):
        """Each poller asks once a `period` (seconds); each scraper asks for `window` seconds of CPU profile again and again."""
        self.plan = {"address": control.address, "token": control.token, "pollers": pollers, "scrapers": scrapers, "period": period, "window": window}
        self.told = None

    def __enter__(self):
        self.process = subprocess.Popen([sys.executable, __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.process.stdin.write(json.dumps(self.plan) + "\n")
        self.process.stdin.flush()
        return self

    def expect_rounds(self, polls, scrapes):
        """Waits until every poller has had so many answers, and every scraper so many profiles."""
        self.process.stdin.write(json.dumps([polls, scrapes]) + "\n")
        self.process.stdin.flush()
        if not self.process.stdout.readline():
            raise RuntimeError("the clients have ended")

    def __exit__(self, *_):
        self.process.stdin.close()
        self.told = json.loads(self.process.stdout.read().splitlines()[-1])
        self.process.wait(timeout=120)  # as long as its slowest request


class Client(threading.Thread):
    def __init__(self, plan, path, period, ends):
        super().__init__()
        self.plan, self.path, self.period, self.ends = plan, path, period, ends
        self.answers, self.failed = 0, []

    def get(self, connection):
        """As every client does: a connection that the server closed between two requests is opened again."""
        was_open = connection.sock is not None
        try:
            connection.request("GET", self.path, headers={"Authorization": f"Bearer {self.plan['token']}"})
            return connection.getresponse()
        except (http.client.RemoteDisconnected, ConnectionResetError, BrokenPipeError):
            connection.close()
            if not was_open:
                raise
            return self.get(connection)

    def run(self):
        connection = http.client.HTTPConnection(self.plan["address"], timeout=120)
        while True:
            began = time.monotonic()
            try:
                response = self.get(connection)
                body = response.read()
                if response.status == 200 and body:
                    self.answers += 1
                else:
                    self.failed.append(f"{self.path}: {response.status} {body[:200]}")
            except (OSError, http.client.HTTPException) as error:
                self.failed.append(f"{self.path}: {error!r}")
                connection.close()
            if self.ends.wait(max(0, began + self.period - time.monotonic())):
                return


def main():
    os.nice(19)
    plan = json.loads(sys.stdin.readline())
    ends = threading.Event()
    pollers = [Client(plan, "/api/status", plan["period"], ends) for _ in range(plan["pollers"])]
    scrapers = [Client(plan, f"/debug/pprof/profile?seconds={plan['window']}", 0, ends) for _ in range(plan["scrapers"])]
    for client in pollers + scrapers:
        client.start()
    for line in sys.stdin:
        polls, scrapes = json.loads(line)
        while min(one.answers + len(one.failed) for one in pollers) < polls or min(one.answers + len(one.failed) for one in scrapers) < scrapes:
            time.sleep(0.05)
        print("reached", flush=True)
    ends.set()
    for client in pollers + scrapers:
        client.join()
    print(json.dumps({"polls": sum(one.answers for one in pollers), "scrapes": sum(one.answers for one in scrapers),
                      "failed": [why for one in pollers + scrapers for why in one.failed]}))


if __name__ == "__main__":
    main()
