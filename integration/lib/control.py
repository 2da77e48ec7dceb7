"""The control server as a client meets it."""
import http.client
import json
import socket

from lib.jvm import PATIENCE, hearth


class Answer:
    def __init__(self, response):
        self.status = response.status
        self.headers = response.headers
        self.body = response.read()

    def json(self):
        return json.loads(self.body)

    def code(self):
        """The word for programs in a refusal."""
        return self.json()["error"]["code"]


class Control:
    """The server of one JVM; each request is a connection of its own."""

    def __init__(self, address, token, socket_path=None):
        self.address, self.token, self.socket_path = address, token, socket_path

    def listens(self):
        """A socket's file is there a moment earlier."""
        try:
            self.connect().close()
        except OSError:
            return False
        return True

    def connect(self):
        """A bare connection."""
        if self.socket_path:
            connection = socket.socket(socket.AF_UNIX)
            connection.connect(str(self.socket_path))
            return connection
        host, _, port = self.address.rpartition(":")
        return socket.create_connection((host.strip("[]"), int(port)), timeout=PATIENCE)

    def ask(self, method, path, body=None, **headers):
        """Sends a request; header names are given with _ for -, and None leaves one out."""
        connection = http.client.HTTPConnection(self.address or "localhost", timeout=PATIENCE)
        connection.sock = self.connect()
        token = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        sent = {**token, **{name.replace("_", "-"): value for name, value in headers.items()}}
        data = json.dumps(body) if isinstance(body, dict) else body
        try:
            connection.request(method, path, data, {name: value for name, value in sent.items() if value is not None})
            return Answer(connection.getresponse())
        finally:
            connection.close()

    def get(self, path, **headers):
        return self.ask("GET", path, **headers)

    def post(self, path, body=None, **headers):
        return self.ask("POST", path, body, **headers)

    def status(self):
        return self.get("/api/status").json()


def said(text, word):
    """The text after `word:` in the lines that the launcher prints."""
    return next(line.partition(": ")[2] for line in text.splitlines() if line.startswith(word + ":"))


def serve(pid, *options):
    """Switches the server on; returns it, and the link that lets in once."""
    text = hearth("http", *options, pid).stdout
    where = said(text, "Control server")
    if where.startswith("unix:"):  # the file's mode decides on access
        return Control(None, None, where.removeprefix("unix:")), None
    with open(said(text, "Token"), encoding="utf-8") as file:
        token = file.read().strip()
    return Control(where.removeprefix("http://").rstrip("/"), token), said(text, "Open")
