#include "launcher/leaks/jvm_heap.h"

#include <algorithm>
#include <string_view>

#include "base/text_parts.h"

namespace hearth::launcher {
namespace {

// Functions of the collectors by which the heap, and their tables about it, grow.
constexpr std::string_view kExpansions[] = {
    "G1PageBasedVirtualSpace::", "PSVirtualSpace::",    "VirtualSpace::expand_by",
    "ZPhysicalMemory",           "ZPageAllocator::",    "ZVirtualMemory",
    "ShenandoahHeapRegion::",    "ShenandoahHeap::do_", "ShenandoahHeap::commit"};
// These expand their spaces in the same way. Metadata of classes can leak, by class loaders.
constexpr std::string_view kOthers[] = {"CodeHeap::", "VirtualSpaceNode::", "Metaspace", "metaspace::"};

template <size_t kCount>
bool begins_with_any(std::string_view frame, const std::string_view (&starts)[kCount]) {
  return std::any_of(std::begin(starts), std::end(starts),
                     [&](std::string_view start) { return starts_with(frame, start); });
}

}  // namespace

bool is_jvm_heap(const std::vector<std::string>& frames) {
  bool expands = false;
  for (const std::string& frame : frames) {
    if (begins_with_any(frame, kOthers)) return false;
    expands |= begins_with_any(frame, kExpansions);
  }
  return expands;
}

}  // namespace hearth::launcher
