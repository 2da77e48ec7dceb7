// Long loops in slices: each step of the generator takes a few milliseconds at most.

/** Calls `work(from, to)` for the parts of 0 to `count`. */
export function* inSlices(count, work, size = 1 << 15) {
  for (let from = 0; from < count; from += size) {
    work(from, Math.min(count, from + size));
    yield;
  }
}

/** Same as inSlices(), from the end to the beginning. */
export function* inSlicesBackwards(count, work, size = 1 << 16) {
  for (let to = count; to > 0; to -= size) {
    work(Math.max(0, to - size), to);
    yield;
  }
}
