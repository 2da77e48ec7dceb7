#include "session/jit_sites.h"

#include <cmath>

#include "base/formatted.h"
#include "profile/amount_text.h"

namespace hearth::session {
namespace {

using capture::RawKind;
using capture::StackTree;

// Inlined code is its compiled frame's, further out.
bool is_from_c2(const StackTree& tree, uint32_t node) {
  while (node != StackTree::kRoot && (!tree.frame(node).is_java() || tree.frame(node).kind() == RawKind::kInlined))
    node = tree.parent(node);
  if (node == StackTree::kRoot) return false;
  RawKind kind = tree.frame(node).kind();
  return kind == RawKind::kCompiledC2 || kind == RawKind::kJava;
}

}  // namespace

JitSites jit_sites(const StackTree& tree, const SampleCounts& counts, uint16_t event) {
  JitSites sites;
  for (const auto& [key, first_unit, count] : counts.all()) {
    if (key.event != event) continue;
    auto objects = static_cast<uint64_t>(std::llround(count.objects));
    sites.objects += objects;
    if (is_from_c2(tree, key.stack)) sites.from_c2 += objects;
  }
  return sites;
}

std::string exact_note(const JitSites& sites) {
  return formatted(
      "each object that was made is recorded; {} of {} objects come from code that C2 compiled, where it may have "
      "taken out others (-XX:-EliminateAllocations leaves them in)",
      profile::grouped(sites.from_c2), profile::grouped(sites.objects));
}

}  // namespace hearth::session
