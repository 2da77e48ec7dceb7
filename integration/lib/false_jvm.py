"""A process that the launcher takes for a JVM and that means harm: it answers the attach protocol as its argument demands.

    exec -a java python3 false_jvm.py ANSWER FILE…     FILEs are mapped, which makes a JVM of one named libjvm.so

ANSWER is JSON: `reply` (the path of its text) and `size` (the size to which the reply file is enlarged), `socket` (text instead of the result),
`memory` (the name of a memory file to show), `user` (to become, with the group of that number), and `how`: answer, hang, deaf (accepts nothing), drip, endless.
"""
import contextlib
import ctypes
import json
import mmap
import os
import socket
import sys
import time


def main():
    wish = json.loads(sys.argv[1])
    with open(wish["reply"], encoding="utf-8") as file:
        wish["reply"] = file.read()
    address = f"/tmp/.java_pid{os.getpid()}"
    with contextlib.suppress(FileNotFoundError):
        os.unlink(address)  # of a JVM that was killed and had this number; HotSpot removes it at its start as well
    if "user" in wish:
        become(wish["user"])
    mapped = []
    for path in sys.argv[2:]:
        with open(path, "rb") as file:
            mapped.append(mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ))
    shown = os.memfd_create(wish["memory"]) if "memory" in wish else None
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(address)
        listener.listen(0 if wish["how"] == "deaf" else 5)
        print("ready", flush=True)
        kept = []
        while wish["how"] != "deaf":
            connection, _ = listener.accept()
            kept.append(connection)  # open until this process ends
            answer(connection, wish)
        time.sleep(3600)
    del mapped, shown


def become(user):
    """As if this were started as that user, who cannot see the Python of another one."""
    os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)
    pr_set_dumpable = 4
    ctypes.CDLL(None).prctl(pr_set_dumpable, 1)


def answer(connection, wish):
    request = b""
    while request.count(b"\0") < 5:
        request += connection.recv(4096)
    options = request.split(b"\0")[4].decode()
    reply = options.split("reply=", 1)[1]
    try:
        if wish["how"] == "answer":
            with open(reply, "w", encoding="utf-8") as file:
                file.write(wish["reply"])
                file.truncate(max(wish.get("size", 0), file.tell()))
            connection.sendall(wish.get("socket", "0\nreturn code: 0\n").encode())
            connection.shutdown(socket.SHUT_RDWR)
        while wish["how"] == "endless":
            connection.sendall(b"x" * 65536)
        while wish["how"] == "drip":
            connection.sendall(b"x")
            time.sleep(0.1)
    except OSError:
        pass  # the launcher went away, or the file


if __name__ == "__main__":
    main()
