#include "symbols/elf/kernel_symbols.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <numeric>
#include <string_view>

#include "base/files.h"
#include "symbols/elf/mapping_symbol.h"

namespace hearth::symbols {
namespace {

bool is_code(char type) {
  return type == 't' || type == 'T' || type == 'w' || type == 'W';
}

template <typename T>
void reorder(std::vector<T>& values, const std::vector<uint32_t>& order) {
  std::vector<T> sorted;
  sorted.reserve(values.size());
  for (uint32_t index : order) sorted.push_back(values[index]);
  values = std::move(sorted);
}

}  // namespace

// A line is "ffffffff81000000 T _stext", followed by "\t[module]" in a module.
KernelSymbols::KernelSymbols(const std::string& path) {
  std::string content = read_if_readable(path);  // without it kernel frames have no names
  for (size_t line = 0; line < content.size();) {
    size_t end = std::min(content.find('\n', line), content.size());
    const char* last = content.data() + end;
    uint64_t address = 0;
    auto [rest, error] = std::from_chars(content.data() + line, last, address, 16);
    line = end + 1;
    // A hidden address reads as 0.
    if (error != std::errc() || address == 0 || last - rest < 4 || !is_code(rest[1])) continue;
    const char* name = rest + 3;
    const char* name_end = std::find(name, last, '\t');
    if (is_mapping_symbol({name, static_cast<size_t>(name_end - name)})) continue;
    starts_.push_back(address);
    names_.push_back(static_cast<uint32_t>(text_.size()));
    text_.append(name, name_end).push_back('\0');
  }
  std::vector<uint32_t> order(starts_.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [this](uint32_t left, uint32_t right) { return starts_[left] < starts_[right]; });
  reorder(starts_, order);
  reorder(names_, order);
  text_.shrink_to_fit();
}

std::string KernelSymbols::resolve(uint64_t address) const {
  auto after = std::upper_bound(starts_.begin(), starts_.end(), address);
  if (after == starts_.begin()) return "";
  // Of several names of one address the first in the file counts.
  auto first = std::lower_bound(starts_.begin(), after, *(after - 1));
  return text_.c_str() + names_[static_cast<size_t>(first - starts_.begin())];
}

}  // namespace hearth::symbols
