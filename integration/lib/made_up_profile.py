#!/usr/bin/env python3
"""Writes a large made-up profile, the same bytes each time: stacks of 20 to 60 frames out of 4,300 names.

    made_up_profile.py FILE [STACKS]

FILE ends in .collapsed, or in .pb.gz and then has threads and times as well. STACKS is how many, 1,000,000 if not given:
those are nearly all different, make 3.3 million nodes of one tree, and their collapsed form has 550 MB. Each begins like
the one before it, as stacks that are sorted do.
"""
import gzip
import random
import sys

NAMES = 4_300
SHALLOWEST, DEEPEST = 20, 60
# Frames that a stack has in other places than the one before; and how many stacks there are to one that has nothing in
# common with it but some of its outer half.
STEPS = (1, 2, 3, 3, 4, 5, 5)
STACKS_A_TRUNK = 1000
THREADS = 64
SECONDS = 60
INTERVAL_NS = 1_000_000
TIME_STEP_NS = 20_000_000
SEED = 20_260_101


def names():
    """As they are met in a Clojure service: mostly Java, then Clojure, native and kernel."""
    forms = (
        "io/In{}.get",
        "os/Out{}.put",
        "tax/Tax{}.of",
        "db/Map{}.get",
        "cart/sum{}",
        "core/map{}",
        "Gc::move{}",
        "memcpy_{}",
        "read{}_[k]",
    )
    return [forms[i * 7 % len(forms)].format(i) for i in range(NAMES)]


def changes(stacks):
    """For each stack how many frames it keeps of the one before, the frames that follow, and its count."""
    chance = random.Random(SEED)
    depth = 0
    for stack in range(stacks):
        cut, added = chance.choice(STEPS), chance.choice(STEPS)
        if stack % STACKS_A_TRUNK == 0:
            kept = int(chance.random() * min(depth, SHALLOWEST))
            depth = chance.randint(SHALLOWEST, DEEPEST)
        else:
            if not SHALLOWEST <= depth - cut + added <= DEEPEST:
                cut, added = added, cut
            kept = depth - cut
            depth = kept + added
        frames = [int(chance.random() * NAMES) for _ in range(depth - kept)]
        yield kept, frames, 1 + int(chance.expovariate(0.5))


def write_collapsed(path, stacks):
    frame_texts = [(";" + name).encode() for name in names()]
    with open(path, "wb", buffering=1 << 20) as file:
        prefixes = [b""]  # by depth
        for kept, frames, count in changes(stacks):
            del prefixes[kept + 1 :]
            for frame in frames:
                prefixes.append(prefixes[-1] + frame_texts[frame])
            file.write(b"%b %d\n" % (prefixes[-1][1:], count))


def varint(number):
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    out.append(number)
    return bytes(out)


def field(number, content):
    """Of a protocol buffer: a number, or a string of bytes or a message with its length."""
    if isinstance(content, int):
        return varint(number << 3) + varint(content)
    return varint(number << 3 | 2) + varint(len(content)) + content


def write_pprof(path, stacks):
    strings = ["", "samples", "count", "cpu", "nanoseconds", "thread", "time", f"hearth.time_step_ns={TIME_STEP_NS}", *names()]
    strings += [f"worker-{thread} tid={1000 + thread}" for thread in range(THREADS)]
    first_name, first_thread = strings.index("time") + 2, len(strings) - THREADS
    threads = [field(3, field(1, 5) + field(2, first_thread + thread)) for thread in range(THREADS)]
    steps = SECONDS * 1_000_000_000 // TIME_STEP_NS
    times = [field(3, field(1, 6) + field(3, step * TIME_STEP_NS) + field(4, 4)) for step in range(steps)]
    locations = [varint(frame + 1) for frame in range(NAMES)]
    chance = random.Random(SEED + 1)
    with gzip.GzipFile(path, "wb", compresslevel=1, mtime=0) as file:
        file.write(field(1, field(1, 1) + field(2, 2)) + field(1, field(1, 3) + field(2, 4)))
        file.write(b"".join(field(6, text.encode()) for text in strings))
        for frame in range(NAMES):
            file.write(field(5, field(1, frame + 1) + field(2, first_name + frame)))
            file.write(field(4, field(1, frame + 1) + field(4, field(1, frame + 1))))
        file.write(field(10, SECONDS * 1_000_000_000) + field(11, field(1, 3) + field(2, 4)) + field(12, INTERVAL_NS))
        file.write(field(13, 7))
        stack_locations = [b""]  # by depth, innermost frame first
        for kept, frames, count in changes(stacks):
            del stack_locations[kept + 1 :]
            for frame in frames:
                stack_locations.append(locations[frame] + stack_locations[-1])
            values = varint(count) + varint(count * INTERVAL_NS)
            labels = threads[int(chance.random() * THREADS)] + times[int(chance.random() * steps)]
            file.write(field(2, field(1, stack_locations[-1]) + field(2, values) + labels))


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    path, stacks = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 1_000_000
    write = write_pprof if path.endswith(".pb.gz") else write_collapsed
    write(path, stacks)


if __name__ == "__main__":
    main()
