#include "profile/formats/rewritten_stacks.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/formatted.h"
#include "profile/formats/frame_text.h"
#include "profile/model/event_view.h"
#include "profile/model/stack_copier.h"
#include "profile/model/stack_filter.h"

namespace hearth::profile {
namespace {

bool is_code(FrameKind kind) {
  return kind <= FrameKind::kStub;
}

// Stacks with different texts; stacks of the profile that differ only in kinds, lines or files are one.
class StackTexts {
 public:
  StackTexts(const Profile& profile, const WriteOptions& options);

  size_t count() const { return ends_.size(); }
  // Calls `take` with each text, in their order.
  template <typename Take>
  void for_each(const Take& take) const;

  bool has(NodeId stack) const { return line_of_[plain_of_[stack]] != kNoLine; }
  size_t line_of(NodeId stack) const { return line_of_[plain_of_[stack]]; }
  std::string_view text_of(FunctionId function) const { return texts_.text(spelling_[function]); }

 private:
  static constexpr size_t kNoLine = SIZE_MAX;

  Profile texts_;                   // the same stacks, with texts only
  std::vector<StringId> spelling_;  // by function of the profile
  std::vector<NodeId> plain_of_;    // by node of the profile
  std::vector<size_t> line_of_;     // by node of texts_
  std::vector<NodeId> ends_;        // by line
};

StackTexts::StackTexts(const Profile& profile, const WriteOptions& options) {
  for (const Function& function : profile.functions())
    spelling_.push_back(texts_.string(frame_text(profile.text(function.name), function.kind, false)));
  plain_of_.push_back(0);
  for (NodeId node = 1; node < profile.nodes().size(); node++) {
    FunctionId frame = texts_.function(texts_.text(spelling_[profile.function_of(node)]), FrameKind::kNative);
    plain_of_.push_back(texts_.child(plain_of_[profile.nodes()[node].parent], texts_.location(frame, 0)));
  }
  std::vector<bool> shown = shown_stacks(profile, options), has_samples(texts_.nodes().size());
  for (size_t index = 0; index < profile.sample_count(); index++) {
    NodeId stack = profile.sample(index).stack;
    if (shown[stack]) has_samples[plain_of_[stack]] = true;
  }
  line_of_.assign(texts_.nodes().size(), kNoLine);
  for (NodeId node = 1; node < has_samples.size(); node++) {
    if (!has_samples[node]) continue;
    line_of_[node] = ends_.size();
    ends_.push_back(node);
  }
}

template <typename Take>
void StackTexts::for_each(const Take& take) const {
  std::vector<std::string_view> frames;
  std::string text;
  for (NodeId end : ends_) {
    frames.clear();
    text.clear();
    for (NodeId node = end; node != 0; node = texts_.nodes()[node].parent)
      frames.push_back(texts_.function_name(texts_.function_of(node)));
    for (auto frame = frames.rbegin(); frame != frames.rend(); ++frame)
      text.append(frame == frames.rbegin() ? "" : ";").append(*frame);
    take(text);
  }
}

class Rewriter {
 public:
  Rewriter(const Profile& profile, const StackTexts& texts, std::string_view lines);

  Profile result();

 private:
  void add_sample(size_t index);
  // Returns 0 for a dropped stack.
  NodeId stack(NodeId old);
  NodeId stack_of_text(NodeId old, std::string_view text);
  LocationId frame_of(std::string_view text, const std::vector<NodeId>& old, size_t* next);
  LabelSetId labels(const Profile::Sample& sample, NodeId stack);

  const Profile& profile_;
  const StackTexts& texts_;
  Profile result_;
  StackCopier copier_;
  std::vector<std::string_view> lines_;
  std::vector<bool> is_as_before_;                            // by line
  std::unordered_map<std::string_view, FunctionId> by_text_;  // the first of the profile's functions
  std::vector<std::optional<NodeId>> stacks_;                 // by node of the profile
};

Rewriter::Rewriter(const Profile& profile, const StackTexts& texts, std::string_view lines)
    : profile_(profile), texts_(texts), copier_(&profile, &result_), stacks_(profile.nodes().size()) {
  for (size_t end; !lines.empty(); lines.remove_prefix(std::min(end + 1, lines.size()))) {
    end = std::min(lines.find('\n'), lines.size());
    lines_.push_back(lines.substr(0, end));
  }
  if (lines_.size() != texts.count())
    throw FormatError(
        formatted("lines of the rewritten stacks: {}, stacks of the profile: {}; give one line for each stack",
                  lines_.size(), texts.count()));
  if (std::all_of(lines_.begin(), lines_.end(), [](std::string_view line) { return line.empty(); }))
    throw FormatError("no stack is left: all lines of the rewritten stacks are empty");
  texts.for_each([&](const std::string& text) { is_as_before_.push_back(text == lines_[is_as_before_.size()]); });
  for (FunctionId function = 0; function < profile.functions().size(); function++)
    by_text_.try_emplace(texts.text_of(function), function);
}

Profile Rewriter::result() {
  result_.value_types = profile_.value_types;
  result_.metadata = profile_.metadata;
  result_.quality = profile_.quality;
  for (size_t index = 0; index < profile_.sample_count(); index++)
    if (texts_.has(profile_.sample(index).stack)) add_sample(index);
  return std::move(result_);
}

void Rewriter::add_sample(size_t index) {
  const Profile::Sample& sample = profile_.sample(index);
  NodeId made = stack(sample.stack);
  if (made != 0) result_.add(made, labels(sample, made), profile_.values(index), sample.time);
}

NodeId Rewriter::stack(NodeId old) {
  std::optional<NodeId>& known = stacks_[old];
  if (!known) {
    size_t line = texts_.line_of(old);
    known = is_as_before_[line] ? copier_.copy(old) : stack_of_text(old, lines_[line]);
  }
  return *known;
}

NodeId Rewriter::stack_of_text(NodeId old, std::string_view text) {
  std::vector<NodeId> frames;
  for (NodeId node = old; node != 0; node = profile_.nodes()[node].parent) frames.push_back(node);
  std::reverse(frames.begin(), frames.end());
  NodeId made = 0;
  size_t next = 0;
  for (size_t at = 0, end; at <= text.size(); at = end + 1) {
    end = std::min(text.find(';', at), text.size());
    if (end > at) made = result_.child(made, frame_of(text.substr(at, end - at), frames, &next));
  }
  return made;
}

LocationId Rewriter::frame_of(std::string_view text, const std::vector<NodeId>& old, size_t* next) {
  auto is_it = [&](NodeId node) { return texts_.text_of(profile_.function_of(node)) == text; };
  auto from = old.begin() + static_cast<ptrdiff_t>(std::min(*next, old.size()));
  auto found = std::find_if(from, old.end(), is_it);
  if (found != old.end()) *next = static_cast<size_t>(found - old.begin()) + 1;
  if (found == old.end()) found = std::find_if(old.begin(), old.end(), is_it);
  if (found != old.end()) return copier_.location(profile_.nodes()[*found].location);
  if (auto known = by_text_.find(text); known != by_text_.end()) return copier_.function(known->second);
  NamedFrame named = frame_of_text(text);
  FrameKind kind = named.kind;
  // A new name without a recognisable kind takes the kind of the frame that it replaces.
  if (kind == FrameKind::kNative && !old.empty()) {
    FrameKind before = profile_.functions()[profile_.function_of(old[std::min(*next, old.size() - 1)])].kind;
    if (is_code(before)) kind = before;
  }
  return result_.location(result_.function(named.name, kind), 0);
}

// Removes a label of the thread's state if the frame with that state was removed.
LabelSetId Rewriter::labels(const Profile::Sample& sample, NodeId stack) {
  LabelSet labels = profile_.label_sets()[sample.labels];
  std::string_view last = result_.function_name(result_.function_of(stack));
  auto is_gone = [&](const Label& label) {
    return label.key == kStateLabel && label.text != kRunningState && last != formatted("[{}]", label.text);
  };
  labels.erase(std::remove_if(labels.begin(), labels.end(), is_gone), labels.end());
  return result_.label_set(std::move(labels));
}

}  // namespace

std::string stack_lines(const Profile& stored, const WriteOptions& options) {
  std::optional<Profile> view = view_of(stored, Format::kFlameGraph, options);
  std::string lines;
  StackTexts(view ? *view : stored, options).for_each([&](const std::string& text) {
    lines.append(text).push_back('\n');
  });
  return lines;
}

Profile rewritten_stacks(const Profile& stored, const WriteOptions& options, std::string_view lines) {
  std::optional<Profile> view = view_of(stored, Format::kFlameGraph, options);
  const Profile& profile = view ? *view : stored;
  return Rewriter(profile, StackTexts(profile, options), lines).result();
}

}  // namespace hearth::profile
