"""Servers of profiles behind TLS, and made-up authorities that sign their certificates."""
import socket
import ssl
import subprocess
import threading
import warnings

from lib.push.ingest import Collector, IngestServer


def _openssl(*words):
    subprocess.run(["openssl", *map(str, words)], check=True, capture_output=True)


class Authority:
    def __init__(self, directory, name):
        self.directory, self.key, self.pem = directory, directory / f"{name}.key", directory / f"{name}.pem"
        _openssl("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", self.key, "-out", self.pem, "-days", 30, "-subj", f"/CN={name}")

    def server(self, name, alternatives="DNS:localhost,IP:127.0.0.1", days=30):
        """The context of a server with a certificate for these names. It keeps the versions and names that its clients asked with."""
        request, key, pem, names = (self.directory / f"{name}{ending}" for ending in (".csr", ".key", ".crt", ".ext"))
        names.write_text(f"subjectAltName={alternatives}\n", encoding="utf-8")
        _openssl("req", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", request, "-subj", "/CN=server")
        _openssl("x509", "-req", "-in", request, "-CA", self.pem, "-CAkey", self.key, "-CAcreateserial", "-days", days, "-extfile", names, "-out", pem)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(pem, key)
        context.asked = []
        context.sni_callback = lambda _, asked, __: context.asked.append(asked)
        return context


def only_old(context):
    """TLS 1.1 at most."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        context.set_ciphers("ALL:@SECLEVEL=0")
        context.minimum_version = ssl.TLSVersion.TLSv1
        context.maximum_version = ssl.TLSVersion.TLSv1_1
    return context


class _Tls:
    def __init__(self, context, **how):
        super().__init__(**how)
        # The handshake is the handler's, in a thread of its own.
        self.server.socket = context.wrap_socket(self.server.socket, server_side=True, do_handshake_on_connect=False)
        self.server.handle_error = lambda *_: None  # clients that end a handshake
        self.context = context


class TlsIngest(_Tls, IngestServer):
    pass


class TlsCollector(_Tls, Collector):
    pass


class Stalled:
    """Takes connections and says nothing."""

    def __enter__(self):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port, self.taken = self.listener.getsockname()[1], []
        threading.Thread(target=self.take, daemon=True).start()
        return self

    def take(self):
        try:
            while True:
                self.taken.append(self.listener.accept()[0])
        except OSError:  # closed
            pass

    def __exit__(self, *_):
        self.listener.close()
        for connection in self.taken:
            connection.close()
