#include "vm/label_sets.h"

#include "base/formatted.h"

namespace hearth::vm {
namespace {

std::string times_text(uint64_t times) {
  return times == 1 ? "once" : formatted("{} times", times);
}

}  // namespace

uint32_t LabelSets::number_of(const Set& labels) {
  std::lock_guard<std::mutex> lock(mutex_);
  Set kept = bounded(labels);
  uint32_t number = find_or_add(kept, bounds_.sets);
  if (number != 0 || kept.empty()) return number;
  refused_sets_++;
  for (auto& [key, value] : kept) value = kOtherLabels;
  // There are as many of these sets as combinations of keys: few, or one more for all.
  number = find_or_add(kept, bounds_.sets + bounds_.keys);
  return number != 0 ? number : find_or_add({{kOtherLabels, kOtherLabels}}, bounds_.sets + bounds_.keys + 1);
}

LabelSets::Set LabelSets::bounded(const Set& labels) {
  Set kept;
  for (const auto& [key, value] : labels) {
    auto found = keys_.find(key);
    if (found == keys_.end() && keys_.size() == bounds_.keys) {
      refused_keys_++;
      kept[kOtherLabels] = kOtherLabels;
      continue;
    }
    Key& known = keys_[key];
    bool is_known = known.values.count(value) != 0;
    bool has_room = known.values.size() < bounds_.values;
    if (!is_known && has_room) known.values.insert(value);
    if (!is_known && !has_room) known.refused++;
    kept[key] = is_known || has_room ? value : kOtherLabels;
  }
  return kept;
}

// Returns 0 if there would be more than `most`.
uint32_t LabelSets::find_or_add(const Set& labels, size_t most) {
  if (labels.empty()) return 0;
  auto found = numbers_.find(labels);
  if (found != numbers_.end()) return found->second;
  if (numbers_.size() >= most) return 0;
  auto number = static_cast<uint32_t>(sets_.size());
  sets_.push_back(labels);
  numbers_.emplace(labels, number);
  return number;
}

const LabelSets::Set& LabelSets::of(uint32_t number) const {
  std::lock_guard<std::mutex> lock(mutex_);
  return sets_[number < sets_.size() ? number : 0];
}

std::vector<std::string> LabelSets::notes() const {
  std::lock_guard<std::mutex> lock(mutex_);
  std::vector<std::string> notes;
  for (const auto& [key, known] : keys_)
    if (known.refused > 0)
      notes.push_back(formatted("label {} keeps its first {} values; others, seen {} so far, are shown as {}", key,
                                bounds_.values, times_text(known.refused), kOtherLabels));
  if (refused_sets_ > 0)
    notes.push_back(formatted("labels keep {} combinations; in others, seen {} so far, each value is shown as {}",
                              bounds_.sets, times_text(refused_sets_), kOtherLabels));
  if (refused_keys_ > 0)
    notes.push_back(formatted("labels keep {} keys; others, seen {} so far, are shown as {}", bounds_.keys,
                              times_text(refused_keys_), kOtherLabels));
  if (uint64_t ignored = ignored_threads_; ignored > 0)
    notes.push_back(
        formatted("labels of {} virtual threads are not seen: this JVM does not report the running one, or too many "
                  "have labels, or ended without closing them, or there are two copies of hearth.jar",
                  ignored));
  return notes;
}

}  // namespace hearth::vm
