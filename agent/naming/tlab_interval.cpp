#include "naming/tlab_interval.h"

#include <algorithm>

namespace hearth::naming {
namespace {

bool is_in_tlab(capture::Frame innermost) {
  constexpr int kUpper = 32;
  return innermost.kind() == capture::RawKind::kAllocated &&
         innermost.value >> kUpper == static_cast<uint64_t>(capture::AllocationPlace::kInTlab);
}

}  // namespace

int64_t tlab_effective_interval(const capture::StackTree& tree, const session::SampleCounts& counts, uint16_t event,
                                int64_t asked) {
  int64_t samples = 0;
  int64_t bytes = 0;
  for (const auto& [key, first_unit, count] : counts.all()) {
    if (key.event != event || key.stack == capture::StackTree::kRoot || !is_in_tlab(tree.frame(key.stack))) continue;
    samples += count.samples;
    bytes += count.weight;
  }
  return samples == 0 ? asked : std::max(asked, bytes / samples);
}

}  // namespace hearth::naming
