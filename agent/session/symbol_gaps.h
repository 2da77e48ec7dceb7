// How many samples end in code that nobody can name: stripped libraries, memory that belongs to none.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>

#include "capture/stack_tree.h"
#include "session/sample_counts.h"
#include "session/vm.h"

namespace hearth::session {

// Samples by the pc of their innermost frame outside the kernel, where that is native or generated code. Java frames
// have names always.
using SamplesByPc = std::unordered_map<uint64_t, uint64_t>;
SamplesByPc innermost_code(const capture::StackTree& tree, const SampleCounts& counts);

// Of those, what has no symbol, by library; "[unknown]" where there is no library either. Reads the symbols of the
// libraries that it meets first.
std::map<std::string, uint64_t> samples_without_symbols(const SamplesByPc& samples, Vm* vm);

}  // namespace hearth::session
