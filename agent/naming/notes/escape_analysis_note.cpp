#include "naming/notes/escape_analysis_note.h"

#include <cmath>

#include "base/formatted.h"
#include "profile/formats/amount_text.h"

namespace hearth::naming {
namespace {

using capture::RawKind;
using capture::StackTree;

// Inlined code belongs to its compiled frame, further out.
bool is_from_c2(const StackTree& tree, uint32_t node) {
  while (node != StackTree::kRoot && (!tree.frame(node).is_java() || tree.frame(node).kind() == RawKind::kInlined))
    node = tree.parent(node);
  if (node == StackTree::kRoot) return false;
  RawKind kind = tree.frame(node).kind();
  return kind == RawKind::kCompiledC2 || kind == RawKind::kJava;
}

}  // namespace

AllocationsByC2 allocations_by_c2(const StackTree& tree, const session::SampleCounts& counts, uint16_t event) {
  AllocationsByC2 sites;
  for (const auto& [key, first_unit, count] : counts.all()) {
    if (key.event != event) continue;
    auto objects = static_cast<uint64_t>(std::llround(count.objects));
    sites.objects += objects;
    if (is_from_c2(tree, key.stack)) sites.from_c2 += objects;
  }
  return sites;
}

std::string escape_analysis_note(const AllocationsByC2& sites) {
  return formatted(
      "each object that was made is recorded; {} of {} objects come from code that C2 compiled, where it may have "
      "taken out others (-XX:-EliminateAllocations leaves them in)",
      profile::grouped(sites.from_c2), profile::grouped(sites.objects));
}

}  // namespace hearth::naming
