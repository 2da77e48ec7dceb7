#include <charconv>

#include "profile/call_tree.h"
#include "profile/formats.h"
#include "profile/frame_text.h"

namespace hearth::profile {
namespace {

constexpr size_t kLongestCount = 20;  // "-9223372036854775808"

std::vector<std::string> frame_texts(const CallTree& tree, bool annotate) {
  std::vector<std::string> texts;
  texts.reserve(tree.frames.size());
  for (const CallTree::Frame& frame : tree.frames) texts.push_back(frame_text(frame.name, frame.kind, annotate));
  return texts;
}

// Calls `line(stack, count)` for every stack with weight, in the tree's order; `stack` is valid during the call.
template <typename Line>
void for_each_line(const CallTree& tree, const std::vector<int64_t>& counts, const std::vector<std::string>& texts,
                   const Line& line) {
  std::string stack;
  std::vector<size_t> ends{0};  // by depth: where the frame of that depth ends in `stack`
  for (size_t node = 0; node < tree.size(); ++node) {
    uint32_t depth = tree.depth[node];
    ends.resize(depth);
    stack.resize(ends.back());
    if (depth > 1) stack += ';';
    stack += texts[tree.frame[node]];
    ends.push_back(stack.size());
    if (counts[node] != 0) line(stack, counts[node]);
  }
}

// No less than all lines together take.
size_t bytes_of_lines(const CallTree& tree, const std::vector<int64_t>& counts, const std::vector<std::string>& texts) {
  size_t size = 0;
  std::vector<size_t> ends{0};
  for (size_t node = 0; node < tree.size(); ++node) {
    uint32_t depth = tree.depth[node];
    ends.resize(depth);
    ends.push_back(ends.back() + texts[tree.frame[node]].size() + 1);
    if (counts[node] != 0) size += ends.back() + kLongestCount + 2;
  }
  return size;
}

}  // namespace

std::string write_collapsed(const Profile& profile, const WriteOptions& options) {
  CallTree tree = call_tree(profile, options);
  if (tree.self.empty()) return "";
  const std::vector<int64_t>& counts = options.lens == Lens::kTotal ? tree.self.back() : tree.self.front();
  std::vector<std::string> texts = frame_texts(tree, options.annotate);

  // Measured first: the text of a million stacks is too big to be copied while it grows.
  std::string out;
  out.reserve(bytes_of_lines(tree, counts, texts));
  for_each_line(tree, counts, texts, [&](const std::string& stack, int64_t count) {
    char digits[kLongestCount];
    out.append(stack).push_back(' ');
    out.append(digits, std::to_chars(digits, digits + kLongestCount, count).ptr).push_back('\n');
  });
  return out;
}

}  // namespace hearth::profile
