#include "capture/unwind/stack_cache.h"

#include "capture/faults/safe_load.h"

namespace hearth::capture {
namespace {

// Sets `first` to the first word that changed. The words are on the stack of other functions, which AddressSanitizer
// may have poisoned.
__attribute__((no_sanitize("address"))) void find_changed(void* memory, void* first, void*) {
  const auto* words = static_cast<const StackCache*>(memory)->words;
  uint32_t& at = *static_cast<uint32_t*>(first);
  uint32_t end = at;
  for (at = 0; at < end; at++) {
    if (*reinterpret_cast<const volatile uintptr_t*>(words[at].address) != words[at].value) return;
  }
}

}  // namespace

// Guards all words at once: a guarded call for each would take longer than everything else.
uint32_t StackCache::unchanged() const {
  uint32_t first_changed = checkpoint_count == 0 ? 0 : checkpoints[checkpoint_count - 1].words;
  if (!guarded(find_changed, const_cast<StackCache*>(this), &first_changed, nullptr)) return 0;
  uint32_t count = checkpoint_count;
  while (count > 0 && checkpoints[count - 1].words > first_changed) count--;
  return count;
}

}  // namespace hearth::capture
