#include "session/foreign_agent.h"

#include <algorithm>

#include "base/formatted.h"
#include "base/text_parts.h"
#include "profile/codec/utf8.h"
#include "symbols/elf/thread_variable.h"

namespace hearth::session {
namespace {

constexpr const char* kVariable = "otel_thread_ctx_v1";
// Keys that samples have by themselves.
constexpr std::string_view kTaken[] = {"thread", "tid", "state", "bytes", "wait", "age", "time", "run"};

}  // namespace

std::string label_of_attribute(std::string_view name) {
  bool is_id = ends_with(name, "span_id") || ends_with(name, "trace_id") || ends_with(name, "span.id");
  bool is_taken = std::find(std::begin(kTaken), std::end(kTaken), name) != std::end(kTaken);
  return is_id || is_taken ? "" : profile::shown_text(name);
}

// Never destroyed: a session's worker may be left behind when the JVM ends.
ForeignAgent& ForeignAgent::instance() {
  static auto* agent = new ForeignAgent;
  return *agent;
}

void ForeignAgent::refresh() {
  std::lock_guard<std::mutex> lock(mutex_);
  symbols::LoadCounts counts = symbols::load_counts();
  if (!(counts == counts_)) look_for_variable();
  counts_ = counts;
  if (capture::foreign_source() != nullptr) read_names();
}

void ForeignAgent::look_for_variable() {
  std::optional<capture::ThreadVariable> found = symbols::find_thread_variable(kVariable);
  if (found && (source_ == nullptr || !(source_->variable == *found))) {
    if (!attributes_) attributes_ = std::make_unique<capture::AttributeSets>();
    const capture::ForeignSource* before = source_;
    source_ = new capture::ForeignSource;
    source_->variable = *found;
    source_->sets = attributes_.get();
    for (size_t word = 0; before != nullptr && word < std::size(source_->wanted); word++)
      source_->wanted[word] = before->wanted[word].load(std::memory_order_relaxed);
  }
  capture::set_foreign_source(found ? source_ : nullptr);
}

void ForeignAgent::read_names() {
  if (!context_.has_changed()) return;
  names_ = context_.attribute_names();
  sets_.clear();
  for (auto& word : source_->wanted) word.store(0, std::memory_order_relaxed);
  constexpr size_t kBits = 64;
  for (size_t key = 0; key < names_.size() && key < kBits * std::size(source_->wanted); key++) {
    names_[key] = label_of_attribute(names_[key]);
    uint64_t bit = uint64_t{1} << key % kBits;
    if (!names_[key].empty()) source_->wanted[key / kBits].fetch_or(bit, std::memory_order_relaxed);
  }
}

// The last one of a key counts.
vm::LabelSets::Set ForeignAgent::labels_in(std::string_view attributes) const {
  vm::LabelSets::Set set;
  while (attributes.size() >= 2) {
    size_t key = static_cast<uint8_t>(attributes[0]), length = static_cast<uint8_t>(attributes[1]);
    std::string_view value = attributes.substr(2, length);
    attributes.remove_prefix(2 + value.size());
    if (key < names_.size() && !names_[key].empty() && !value.empty()) set[names_[key]] = profile::shown_text(value);
  }
  return set;
}

uint16_t ForeignAgent::label_set(uint16_t number, vm::LabelSets* labels) {
  if (number < capture::AttributeSets::kFirst) return number;
  std::lock_guard<std::mutex> lock(mutex_);
  if (!attributes_) return 0;
  sets_.resize(capture::AttributeSets::kMost);
  uint16_t& set = sets_[(number - capture::AttributeSets::kFirst) % capture::AttributeSets::kMost];
  if (set == 0) set = static_cast<uint16_t>(labels->number_of(labels_in(attributes_->of(number))));
  return set;
}

std::vector<std::string> ForeignAgent::notes() const {
  std::lock_guard<std::mutex> lock(mutex_);
  uint64_t refused = attributes_ ? attributes_->refused() : 0;
  if (refused == 0) return {};
  return {formatted("attributes of {} samples are not shown: another agent's threads had more than {} sets of them",
                    refused, capture::AttributeSets::kMost)};
}

}  // namespace hearth::session
