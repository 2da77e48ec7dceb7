"""A JVM with an nREPL server, and a client in another one."""
import contextlib
import json
import pathlib

from lib.jvm import CLOJURE, JAR, WORKLOADS, Java

CLASS_PATH = f"{JAR}:{CLOJURE}:/usr/share/java/nrepl.jar"
# Something to profile, about a tenth of a second long.
WORK = "(defn work [] (dotimes [_ 300] (reduce + (map inc (range 10000)))) :worked)"


class Repl:
    """The client's evaluation over there."""

    def __init__(self, server, client):
        self.server, self.client = server, client

    def answer(self, code):
        """The reply: value, out and err."""
        self.client.tell(code)
        return json.loads(self.client.expect_line(""))

    def eval(self, code):
        """The value, printed; an exception over there is one here."""
        answer = self.answer(code)
        if answer["err"]:
            raise RuntimeError(f"{code}: {answer['err']}")
        return answer["value"]

    def file(self, code):
        """The file that comes back."""
        return pathlib.Path(json.loads(self.eval(f"(str {code})")))

    def refusal(self, code):
        """Why it was refused."""
        return json.loads(self.eval(f"(try {code} \"nothing\" (catch Exception e (.getMessage e)))"))


@contextlib.contextmanager
def connected(jdk, directory, *flags, **env):
    """Both, until the block ends; hearth keeps its files in `directory`, and there is no desktop unless `env` has one."""
    env = {"HEARTH_HOME": str(directory / "home"), "DISPLAY": "", "WAYLAND_DISPLAY": "", **env}
    with Java(jdk, [*flags, "-cp", CLASS_PATH, "clojure.main", WORKLOADS / "repl/server.clj"], env=env) as server:
        port = server.expect_line("port")
        with Java(jdk, ["-cp", CLASS_PATH, "clojure.main", WORKLOADS / "repl/client.clj", port]) as client:
            client.expect_line("ready")
            yield Repl(server, client)
