#include "naming/missing_symbols.h"

namespace hearth::naming {

using capture::RawKind;
using capture::StackTree;

namespace {

// Kernel frames, and the address that features=pcaddr adds before the frame that contains it.
bool is_passed_over(RawKind kind) {
  return kind == RawKind::kKernel || kind == RawKind::kAddress;
}

}  // namespace

SamplesByPc innermost_code(const StackTree& tree, const session::SampleCounts& counts) {
  SamplesByPc samples;
  for (const auto& [key, first_unit, count] : counts.all()) {
    uint32_t node = key.stack;
    while (node != StackTree::kRoot && is_passed_over(tree.frame(node).kind())) node = tree.parent(node);
    if (node == StackTree::kRoot) continue;
    RawKind kind = tree.frame(node).kind();
    if (kind == RawKind::kNative || kind == RawKind::kCode)
      samples[tree.frame(node).value] += static_cast<uint64_t>(count.samples);
  }
  return samples;
}

std::map<std::string, uint64_t> samples_without_symbols(const SamplesByPc& samples, vm::Vm* vm) {
  std::map<std::string, uint64_t> gaps;
  for (const auto& [pc, count] : samples) {
    if (!vm->code_names.name_of(pc).empty()) continue;
    std::lock_guard<std::mutex> lock(vm->modules_mutex);
    symbols::NativeSymbol symbol = vm->modules.resolve(pc);
    if (symbol.name.empty()) gaps[symbol.library.empty() ? "[unknown]" : symbol.library] += count;
  }
  return gaps;
}

}  // namespace hearth::naming
