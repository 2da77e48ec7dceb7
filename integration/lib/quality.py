"""A profile's notes on its own quality: the `hearth.NAME=VALUE` comments of its pprof form."""
import gzip
import re


def read(path):
    """NAME to VALUE, as text."""
    profile = gzip.decompress(path.read_bytes())
    # In profile.proto's string table each string follows its tag, 0x32, and its length.
    found = {}
    for match in re.finditer(rb"\x32([\x00-\x7f])(#?hearth\.)", profile, re.DOTALL):
        begin = match.start(2)
        name, _, value = profile[begin:begin + match[1][0]].decode().removeprefix("#").removeprefix("hearth.").partition("=")
        found[name] = value
    return found
