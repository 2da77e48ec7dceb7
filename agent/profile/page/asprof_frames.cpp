#include "profile/page/asprof_frames.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "base/formatted.h"
#include "profile/analysis/call_tree.h"
#include "profile/model/event_view.h"
#include "profile/names/asprof_frame_type.h"

namespace hearth::profile {
namespace {

constexpr std::string_view kRoot = "all";

struct NamedFrame {
  std::string name;
  AsprofFrameType kind;
};

// In a TLAB or outside of one an object's class has the suffix of an inlined frame or of the kernel.
NamedFrame named(const TreeFrame& frame) {
  constexpr std::string_view kInlined = "_[i]", kKernel = "_[k]";
  NamedFrame named = {frame.name == kRoot ? "all_" : frame.name, asprof_frame_type(frame.kind)};
  std::string_view end =
      std::string_view(frame.name).substr(frame.name.size() - std::min<size_t>(frame.name.size(), 4));
  if (frame.kind != FrameKind::kClass || (end != kInlined && end != kKernel)) return named;
  if (end == kKernel) named.kind = AsprofFrameType::kKernel;
  named.name.resize(named.name.size() - end.size());
  return named;
}

// As text in single quotes in JavaScript, which cannot end the block or its line.
std::string quoted(std::string_view text) {
  std::string out;
  for (char c : text) {
    if (c == '\'' || c == '\\') out += '\\';
    out += static_cast<unsigned char>(c) < ' ' ? ' ' : c == '<' && text.find("</") != text.npos ? '(' : c;
  }
  return out;
}

// How many characters both begin with. Readers count UTF-16 units: only ASCII is shared.
size_t shared_length(std::string_view one, std::string_view other) {
  constexpr size_t kMost = 95;  // one printable character has the number
  size_t most = std::min({one.size(), other.size(), kMost}), shared = 0;
  while (shared < most && one[shared] == other[shared] && static_cast<unsigned char>(one[shared]) < 0x80) shared++;
  return shared;
}

// The names in their order, each as the number of characters that it shares with the one before, and the rest.
std::string names_text(const std::map<std::string, size_t>& numbers) {
  std::string text = formatted("const cpool = [\n'{}'", kRoot);
  std::string_view before;
  for (const auto& [name, number] : numbers) {
    size_t shared = shared_length(name, before);
    text += formatted(",\n'{}{}'", static_cast<char>(' ' + shared), quoted(std::string_view(name).substr(shared)));
    before = name;
  }
  return text + "\n];\nunpack(cpool);\n\n";
}

std::vector<int64_t> totals_of(const CallTree& tree, const std::vector<int64_t>& self) {
  std::vector<int64_t> totals = self;
  std::vector<size_t> way;
  for (size_t node = 0; node < tree.size(); ++node) {
    way.resize(std::min<size_t>(way.size(), tree.depth[node] - 1));
    for (size_t outer : way) totals[outer] += self[node];
    way.push_back(node);
  }
  return totals;
}

}  // namespace

std::string asprof_frames(const Profile& stored, const WriteOptions& options) {
  std::optional<Profile> view = view_of(stored, Format::kCollapsed, options);
  CallTree tree = call_tree(view ? *view : stored, options);
  std::vector<NamedFrame> frames;
  std::map<std::string, size_t> numbers;
  for (const TreeFrame& frame : tree.frames) {
    frames.push_back(named(frame));
    numbers.emplace(frames.back().name, 0);
  }
  size_t last = 0;
  for (auto& [name, number] : numbers) number = ++last;
  const std::vector<int64_t> none;
  const std::vector<int64_t>& self = tree.self.empty()              ? none
                                     : options.lens == Lens::kTotal ? tree.self.back()
                                                                    : tree.self.front();
  std::vector<int64_t> totals = totals_of(tree, self);
  int64_t sum = 0;
  for (int64_t value : self) sum += value;
  constexpr size_t kKindBits = 3;
  uint32_t levels = 1;
  for (size_t node = 0; node < tree.size(); ++node)
    if (totals[node] != 0) levels = std::max(levels, tree.depth[node] + 1);
  std::string text = formatted("\n<script type=\"text/plain\">\nconst levels = Array({});\n{}f({},0,0,{})\n", levels,
                               names_text(numbers), static_cast<int>(AsprofFrameType::kNative), sum);
  for (size_t node = 0; node < tree.size(); ++node) {
    if (totals[node] == 0) continue;
    const NamedFrame& frame = frames[tree.frame[node]];
    text += formatted("f({},{},0,{})\n", numbers[frame.name] << kKindBits | static_cast<size_t>(frame.kind),
                      tree.depth[node], totals[node]);
  }
  return text + "\n</script>\n";
}

}  // namespace hearth::profile
