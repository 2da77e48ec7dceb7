#include "profile/model/label_values.h"

#include <algorithm>
#include <set>

#include "base/formatted.h"
#include "base/nearest_word.h"
#include "profile/codec/utf8.h"

namespace hearth::profile {
namespace {

// "main" for "[main tid=12]".
std::string_view thread_of_frame(std::string_view name) {
  size_t tid = name.rfind(" tid=");
  return tid == std::string_view::npos ? name : name.substr(1, tid - 1);
}

bool begins_with_threads(const Profile& profile) {
  const std::vector<Function>& functions = profile.functions();
  return std::any_of(functions.begin(), functions.end(),
                     [](const Function& function) { return function.kind == FrameKind::kThread; });
}

bool is_inside_character(char c) {
  return (static_cast<unsigned char>(c) & 0xC0) == 0x80;
}

std::string cut(const std::string& text) {
  constexpr size_t kLongest = 60;
  if (text.size() <= kLongest) return text;
  size_t end = kLongest;
  while (end > 0 && is_inside_character(text[end])) --end;
  return text.substr(0, end) + "…";
}

}  // namespace

bool is_span_label(std::string_view key) {
  return key == kTraceIdLabel || key == kSpanIdLabel;
}

std::string label_text(const Label& label) {
  if (!label.text.empty()) return shown_text(label.text);
  return label.unit.empty() ? std::to_string(label.number) : formatted("{} {}", label.number, label.unit);
}

std::vector<std::string> label_keys(const Profile& profile) {
  std::set<std::string> keys;
  for (const LabelSet& set : profile.label_sets())
    for (const Label& label : set) keys.insert(label.key);
  if (begins_with_threads(profile)) keys.emplace(kThreadLabel);
  return {keys.begin(), keys.end()};
}

std::string label_keys_text(const Profile& profile, std::string_view asked) {
  std::vector<std::string> keys = label_keys(profile);
  if (keys.empty()) return "it has none; collapsed stacks keep only threads, when made with -t";
  auto nearest = nearest_word(asked, {keys.begin(), keys.end()});
  std::string guess = nearest ? formatted("did you mean {}? ", cut(shown_text(*nearest))) : "";
  for (std::string& key : keys) key = shown_text(key);
  return formatted("{}it has {}", guess, some_of(keys));
}

std::string some_of(const std::vector<std::string>& words) {
  constexpr size_t kMost = 8;
  std::vector<std::string> shown;
  for (size_t i = 0; i < std::min(words.size(), kMost); ++i) shown.push_back(cut(words[i]));
  std::string text = joined(shown, ", ");
  return words.size() > kMost ? formatted("{} and {} more", text, words.size() - kMost) : text;
}

LabelValues::LabelValues(const Profile& profile, std::string_view key) {
  for (const LabelSet& set : profile.label_sets()) {
    texts_.emplace_back();
    for (const Label& label : set)
      if (label.key == key) texts_.back() = label_text(label);
  }
  if (key == kThreadLabel && begins_with_threads(profile)) know_threads(profile);
}

// Stores the thread that each stack begins with, "" if none.
void LabelValues::know_threads(const Profile& profile) {
  threads_.resize(profile.nodes().size());
  for (NodeId node = 1; node < threads_.size(); ++node) {
    NodeId parent = profile.nodes()[node].parent;
    FunctionId function = profile.function_of(node);
    if (parent != 0) {
      threads_[node] = threads_[parent];
    } else if (profile.functions()[function].kind == FrameKind::kThread) {
      auto [name, is_new] = thread_names_.try_emplace(function);
      if (is_new) name->second = shown_text(thread_of_frame(profile.function_name(function)));
      threads_[node] = name->second;
    }
  }
}

std::string_view LabelValues::of(const Profile::Sample& sample) const {
  const std::string& text = texts_[sample.labels];
  return text.empty() && !threads_.empty() ? threads_[sample.stack] : std::string_view(text);
}

}  // namespace hearth::profile
