#include "symbols/jvm/vm_memory.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>

#include "base/owned.h"

namespace hearth::symbols {

// Lets the kernel copy the memory through a pipe, which fails for unmapped memory. Sandboxes allow pipes;
// process_vm_readv(2) may end the process, and /proc/self/mem is not always readable.
size_t read_own_memory(void* to, uintptr_t from, size_t size) {
  constexpr size_t kChunk = 4096;  // the smallest page, and the amount that a pipe takes at once
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return 0;
  UniqueFd out(ends[0]), in(ends[1]);
  auto* target = static_cast<char*>(to);
  size_t done = 0;
  while (done < size) {
    size_t chunk = std::min(size - done, kChunk - (from + done) % kChunk);
    if (::write(in.get(), reinterpret_cast<const void*>(from + done), chunk) != static_cast<ssize_t>(chunk)) break;
    if (::read(out.get(), target + done, chunk) != static_cast<ssize_t>(chunk)) break;
    done += chunk;
  }
  return done;
}

}  // namespace hearth::symbols
