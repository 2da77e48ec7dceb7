"""The tables by which loaded libraries call one another."""
import os
import pathlib
import struct


def pointers_into(pid, library):
    """Words of writable memory of other libraries that lead into the library: those of its hooks after a stop."""
    maps = [line.split() for line in pathlib.Path(f"/proc/{pid}/maps").read_text().splitlines()]
    parts = [(*(int(end, 16) for end in line[0].split("-")), line[1], line[-1]) for line in maps if len(line) > 5]
    code = [(begin, end) for begin, end, rights, path in parts if path.endswith(library) and "x" in rights]
    found = 0
    with open(f"/proc/{pid}/mem", "rb") as memory:
        for begin, end, rights, path in parts:
            if ".so" not in path or path.endswith(library) or "x" in rights or not rights.startswith("r"):
                continue
            os.lseek(memory.fileno(), begin, os.SEEK_SET)
            words = struct.iter_unpack("Q", os.read(memory.fileno(), end - begin)[: (end - begin) // 8 * 8])
            found += sum(1 for (word,) in words if any(low <= word < high for low, high in code))
    return found
