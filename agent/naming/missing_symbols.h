// Counts samples with an innermost frame without a name: in stripped libraries and in memory outside of any library.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>

#include "capture/store/stack_tree.h"
#include "session/counting/sample_counts.h"
#include "vm/vm.h"

namespace hearth::naming {

// Samples by the pc of their innermost frame outside the kernel, where that is native or generated code. Java frames
// always have names.
using SamplesByPc = std::unordered_map<uint64_t, uint64_t>;
SamplesByPc innermost_code(const capture::StackTree& tree, const session::SampleCounts& counts);

// Returns the samples without a symbol by library, "[unknown]" outside of any library. Reads the symbols of libraries
// on first use.
std::map<std::string, uint64_t> samples_without_symbols(const SamplesByPc& samples, vm::Vm* vm);

}  // namespace hearth::naming
