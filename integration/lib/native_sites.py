"""The sites of workloads/alloc/NativeSites.java, which know the bytes that they allocate."""

# By their frames: malloc, calloc, realloc, posix_memalign, Unsafe, direct buffers, mmap.
SITES = [r"\bsite_malloc$", r"\bsite_calloc$", r"\bsite_realloc$", r"NativeSites\.aligned$", r"NativeSites\.unsafes$", r"NativeSites\.directs$",
         r"\bsite_map$"]


def kept_at(count, size, kept):
    """Bytes of each site that are not freed, after the command "sites COUNT SIZE KEPT"."""
    return count // kept * size


def allocated_at(site, count, size, kept):
    """All bytes of the site. Direct buffers are only made to be kept."""
    return kept_at(count, size, kept) if "directs" in site else count * size
