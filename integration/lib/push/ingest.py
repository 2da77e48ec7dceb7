"""Stand-ins for servers that take profiles, by Pyroscope's ingest and by OTLP: take requests apart as those do, and keep them."""
import base64
import collections
import gzip
import http.server
import re
import subprocess
import threading
import time
import urllib.parse

OTLP_PATH = "/v1development/profiles"
Ingested = collections.namedtuple("Ingested", "path service labels since until user agent kind rate body at")

# The server's name for the types of a body's values; the first that fits.
KINDS = {"wall": "wall", "cpu": "process_cpu", "alloc_space": "memory", "contentions": "mutex"}


class Unwanted(Exception):
    """Why the real one would refuse a request."""


def pprof(file, *options):
    done = subprocess.run(["go", "tool", "pprof", *options, file], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Unwanted(f"go tool pprof: {done.stderr.strip()}")
    return done.stdout


def parse_name(text):
    """checkout{env=prod}, by the rules of the server's parser."""
    match = re.fullmatch(r"([\w./-]+)\{(.*)\}", text, re.ASCII)
    if not match:
        raise Unwanted(f"name {text!r}")
    labels = dict(pair.split("=", 1) for pair in match[2].split(",") if pair)
    if not all(re.fullmatch(r"[\w.]+", key, re.ASCII) and not re.search("[,{}]", value) for key, value in labels.items()):
        raise Unwanted(f"labels {labels}")
    return match[1], labels


def kind_of(body):
    """As the server recognizes it: by the types of the values, which are in the table of strings (a tag, length and text each)."""
    texts = gzip.decompress(body)
    return next(kind for word, kind in KINDS.items() if bytes([0x32, len(word)]) + word.encode() in texts)


def take_apart(path, headers, body):
    parts = urllib.parse.urlsplit(path)
    query = {key: value for key, [value] in urllib.parse.parse_qs(parts.query, strict_parsing=True).items()}
    if query.pop("format") != "pprof" or "multipart" in headers.get("Content-Type", ""):
        raise Unwanted("with format=pprof a body is one, and no form")
    service, labels = parse_name(query.pop("name"))
    since, until, rate = int(query.pop("from")), int(query.pop("until")), query.pop("sampleRate", None)
    if query != {"spyName": "hearth"} or until <= since or len(str(since)) != 10:
        raise Unwanted(f"query {query}, {since} to {until}")
    scheme, _, secret = headers.get("Authorization", "").partition(" ")
    user = base64.b64decode(secret).decode() if scheme == "Basic" else secret
    return Ingested(parts.path, service, labels, since, until, user, headers["User-Agent"], kind_of(body), rate, body, time.time())


class IngestServer:
    """Listens until the `with` block ends. `answer` gives the status of each reply, or None: there is none."""

    def __init__(self, answer=lambda: 200, port=0):
        self.answer, self.all, self.unwanted, self.unanswered = answer, [], [], 0
        self.ending = threading.Event()
        store = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                store.take(self)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", port), Handler)
        self.server.daemon_threads = True
        self.port = self.server.server_port

    def take(self, request):
        body = request.rfile.read(int(request.headers["Content-Length"]))
        status = self.answer()
        if status is None:
            self.unanswered += 1
            self.ending.wait()
            return
        try:
            ingested = self.take_apart(request, body)
            if status == 200:
                self.all.append(ingested)
        except (Unwanted, ValueError, KeyError, StopIteration) as error:
            self.unwanted.append(f"{request.path}: {error!r}")
        self.reply(request, status)

    @staticmethod
    def take_apart(request, body):
        return take_apart(request.path, request.headers, body)

    @staticmethod
    def reply(request, status):
        request.send_response(status)
        if status == 503:
            request.send_header("Retry-After", "1")
        request.send_header("Content-Length", "0")
        request.end_headers()

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.ending.set()
        self.server.shutdown()
        self.server.server_close()


class Collector(IngestServer):
    """By OTLP: keeps the messages. It answers the first one that it rejects a profile."""

    rejection = b"\x0a\x0c\x08\x01\x12\x08too many"

    @staticmethod
    def take_apart(request, body):
        headers = request.headers
        said = [headers[name] for name in ("Content-Type", "Content-Encoding", "OTLP-Profiles-Development-Version")]
        if (request.path, *said) != (OTLP_PATH, "application/x-protobuf", "gzip", "1"):
            raise Unwanted(f"{headers}")
        return gzip.decompress(body)

    def reply(self, request, status):
        body = self.rejection if len(self.all) == 1 else b""
        request.send_response(status)
        request.send_header("Content-Type", "application/x-protobuf")
        request.send_header("Content-Length", str(len(body)))
        request.end_headers()
        request.wfile.write(body)


class Forwarded(IngestServer):
    """By OTLP, from a collector: keeps the messages; not every release sends the version."""

    @staticmethod
    def take_apart(request, body):
        headers = request.headers
        if (request.path, headers["Content-Type"], headers["Content-Encoding"]) != (OTLP_PATH, "application/x-protobuf", "gzip"):
            raise Unwanted(f"{request.path} {headers}")
        return gzip.decompress(body)


def value_types(raw):
    """Of `go tool pprof -raw`: the types of the values, and the total of the samples for each."""
    lines = raw[:raw.index("\nLocations\n")].splitlines()
    at = lines.index("Samples:")
    types = [word.split("/")[0] for word in lines[at + 1].replace("[dflt]", "").split()]
    rows = [line.partition(":")[0].split() for line in lines[at + 2:] if re.match(r"\s+-?\d+(\s+-?\d+)*:", line)]
    return types, [sum(int(row[i]) for row in rows) for i in range(len(types))]
