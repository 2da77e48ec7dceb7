#include <algorithm>
#include <charconv>

#include "profile/analysis/call_tree.h"
#include "profile/analysis/difference.h"
#include "profile/formats/formats.h"
#include "profile/formats/frame_text.h"

namespace hearth::profile {
namespace {

constexpr size_t kLongestCount = 20;  // "-9223372036854775808"

std::vector<std::string> frame_texts(const CallTree& tree, bool annotate) {
  std::vector<std::string> texts;
  texts.reserve(tree.frames.size());
  for (const TreeFrame& frame : tree.frames) texts.push_back(frame_text(frame.name, frame.kind, annotate));
  return texts;
}

// The numbers of a line, by node.
using Columns = std::vector<const std::vector<int64_t>*>;

bool has_weight(const Columns& columns, size_t node) {
  return std::any_of(columns.begin(), columns.end(), [node](const auto* column) { return (*column)[node] != 0; });
}

// Calls `line(stack, node)` for every stack with weight, in the tree's order; `stack` is valid during the call.
template <typename Line>
void for_each_line(const CallTree& tree, const Columns& columns, const std::vector<std::string>& texts,
                   const Line& line) {
  std::string stack;
  std::vector<size_t> ends{0};  // by depth: end of that frame in `stack`
  for (size_t node = 0; node < tree.size(); ++node) {
    uint32_t depth = tree.depth[node];
    ends.resize(depth);
    stack.resize(ends.back());
    if (depth > 1) stack += ';';
    stack += texts[tree.frame[node]];
    ends.push_back(stack.size());
    if (has_weight(columns, node)) line(stack, node);
  }
}

// Upper bound of the size of all lines.
size_t bytes_of_lines(const CallTree& tree, const Columns& columns, const std::vector<std::string>& texts) {
  size_t size = 0;
  std::vector<size_t> ends{0};
  for (size_t node = 0; node < tree.size(); ++node) {
    uint32_t depth = tree.depth[node];
    ends.resize(depth);
    ends.push_back(ends.back() + texts[tree.frame[node]].size() + 1);
    if (has_weight(columns, node)) size += ends.back() + columns.size() * (kLongestCount + 1) + 1;
  }
  return size;
}

std::string lines_of(const CallTree& tree, const Columns& columns, bool annotate) {
  std::vector<std::string> texts = frame_texts(tree, annotate);
  // Allocated at once: the text of a million stacks is too large to be copied while it grows.
  std::string out;
  out.reserve(bytes_of_lines(tree, columns, texts));
  for_each_line(tree, columns, texts, [&](const std::string& stack, size_t node) {
    out.append(stack);
    for (const std::vector<int64_t>* column : columns) {
      char digits[kLongestCount];
      out.push_back(' ');
      out.append(digits, std::to_chars(digits, digits + kLongestCount, (*column)[node]).ptr);
    }
    out.push_back('\n');
  });
  return out;
}

}  // namespace

std::string write_collapsed(const Profile& profile, const WriteOptions& options) {
  CallTree tree = call_tree(profile, options);
  if (tree.self.empty()) return "";
  return lines_of(tree, {options.lens == Lens::kTotal ? &tree.self.back() : &tree.self.front()}, options.annotate);
}

std::string write_difference_collapsed(const Difference& difference, const WriteOptions& options) {
  const CallTree& tree = difference.tree();
  size_t values = difference.values().size();
  size_t value = options.lens == Lens::kTotal ? values - 1 : 0;
  return lines_of(tree, {&tree.self[value], &tree.self[values + value]}, options.annotate);
}

}  // namespace hearth::profile
