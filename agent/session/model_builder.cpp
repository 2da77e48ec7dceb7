#include "session/model_builder.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <vector>

#include "base/formatted.h"
#include "events/size_class.h"
#include "profile/event_view.h"
#include "profile/label_values.h"
#include "profile/sampling_variance.h"
#include "session/live_profile.h"
#include "session/span_labels.h"
#include "session/stack_places.h"
#include "session/thread_state_words.h"

namespace hearth::session {
namespace {

using capture::StackTree;

class ModelBuilder {
 public:
  ModelBuilder(const SampleMeanings& meanings, const Options& options, FrameNamer* namer, const EventColumns& columns,
               profile::Profile* profile)
      : tree_(meanings.tree),
        threads_(meanings.threads),
        label_sets_(meanings.labels),
        spans_(meanings.spans),
        options_(options),
        namer_(namer),
        columns_(columns),
        profile_(profile) {}

  void add(const SampleCounts::Part& part) {
    const auto& [key, time, count, span] = part;
    span_ = span;
    if (options_.threads && key.thread != thread_) begin_thread(key.thread);
    values_.assign(profile_->value_types.size(), 0);
    columns_.add(key.event, count, &values_);
    profile::NodeId stack = profile_node(key.stack);
    if (is_time_without_stack(key, count))
      stack =
          profile_->child(root_, profile_->location(profile_->function("[unsampled]", profile::FrameKind::kMarker), 0));
    profile_->add(stack, labels_of(key, stack), values_.data(), time);
  }

 private:
  static constexpr profile::LocationId kUnnamed = UINT32_MAX;

  // "?" where it is not known.
  events::ThreadRegistry::Thread thread(uint32_t serial) const {
    events::ThreadRegistry::Thread thread;
    if (serial < threads_.size()) thread = threads_[serial];
    if (thread.name.empty()) thread.name = "?";
    return thread;
  }

  profile::LabelSet thread_labels(uint32_t serial) const {
    if (serial == 0) return {};
    auto [tid, name] = thread(serial);
    return {{std::string(profile::kThreadLabel), name, 0, ""}, {"tid", "", tid, ""}};
  }

  void begin_thread(uint32_t serial) {
    auto [tid, name] = thread(serial);
    root_ = profile_->child(
        0, profile_->location(profile_->function(formatted("[{} tid={}]", name, tid), profile::FrameKind::kThread), 0));
    way_.clear();
    thread_ = serial;
  }

  static bool is_time_without_stack(const SampleCounts::Key& key, const SampleCounts::Count& count) {
    return key.stack == StackTree::kRoot && count.samples == 0;
  }

  profile::LabelSetId labels_of(const SampleCounts::Key& key, profile::NodeId stack) {
    switch (columns_.kind(key.event)) {
      case EventColumns::Kind::kLive:
        return labels(key, kAgeLabel, age_word(key.state), size_label(size_class_of_live(key.state)));
      case EventColumns::Kind::kAllocated:
        return labels(key, "", "", size_label(static_cast<uint8_t>(key.state)));
      case EventColumns::Kind::kWaits:
        return labels(key, "", "", wait_label(static_cast<uint8_t>(key.state)));
      case EventColumns::Kind::kTime:
        break;
    }
    auto state = static_cast<events::ThreadState>(key.state);
    return labels(key, profile::kStateLabel, std::string(thread_state_word(state, *profile_, stack)), {});
  }

  static profile::Label size_label(uint8_t size_class) {
    return {std::string(profile::kSizeLabel), "", events::least_size(size_class), "bytes"};
  }
  static profile::Label wait_label(uint8_t size_class) {
    return {std::string(profile::kWaitLabel), "", events::least_size(size_class), "nanoseconds"};
  }

  // Besides the thread's own and the program's. `size`: of number 0 where there is none.
  profile::LabelSetId labels(const SampleCounts::Key& sample, std::string_view key, const std::string& text,
                             const profile::Label& size) {
    auto [found, is_new] =
        labels_by_value_.try_emplace({sample.thread, sample.labels, span_, text, size.unit, size.number}, 0);
    if (is_new) {
      profile::LabelSet labels = thread_labels(sample.thread);
      for (const auto& [name, value] : label_sets_.of(sample.labels))
        if (span_ == capture::SpanTable::kNone || !profile::is_span_label(name)) labels.push_back({name, value, 0, ""});
      add_span_labels(spans_, span_, &labels);
      if (!text.empty()) labels.push_back({std::string(key), text, 0, ""});
      if (size.number != 0) labels.push_back(size);
      found->second = profile_->label_set(std::move(labels));
    }
    return found->second;
  }

  // Nodes' parents have smaller ids; stacks may be thousands deep: loops, not a recursion.
  profile::NodeId profile_node(uint32_t stack) {
    new_steps_.clear();
    for (uint32_t at = stack;; at = tree_.parent(at)) {
      while (!way_.empty() && way_.back().id > at) way_.pop_back();
      if (at == StackTree::kRoot || (!way_.empty() && way_.back().id == at)) break;
      new_steps_.push_back(at);
    }
    for (; !new_steps_.empty(); new_steps_.pop_back()) way_.push_back({new_steps_.back(), make(new_steps_.back())});
    return way_.empty() ? root_ : way_.back().node;
  }

  profile::LocationId location_of(uint32_t id) {
    uint32_t number = tree_.frame_number(id);
    if (number >= locations_.size()) locations_.resize(std::max<size_t>(number + 1, 2 * locations_.size()), kUnnamed);
    if (locations_[number] == kUnnamed) locations_[number] = namer_->location(tree_.frame(id));
    return locations_[number];
  }

  // Of the one that comes next on the way.
  profile::NodeId make(uint32_t id) {
    if (way_.empty()) return profile_->child(root_, location_of(id));
    const Step& caller = way_.back();
    // The outer half of a Clojure call is replaced by the inner one, which knows the line.
    bool is_one_call = namer_->same_clojure_call(tree_.frame(caller.id), tree_.frame(id));
    return profile_->child(is_one_call ? profile_->nodes()[caller.node].parent : caller.node, location_of(id));
  }

  struct Step {
    uint32_t id;  // of the tree
    profile::NodeId node;
  };

  const StackTree& tree_;
  const std::vector<events::ThreadRegistry::Thread>& threads_;
  const LabelSets& label_sets_;
  const capture::SpanTable& spans_;
  const Options& options_;
  FrameNamer* namer_;
  const EventColumns& columns_;
  profile::Profile* profile_;
  std::vector<Step> way_;  // to the stack before: the next one shares its outer part
  std::vector<uint32_t> new_steps_;
  std::vector<profile::LocationId> locations_;  // by number of a frame, kUnnamed for those not asked for
  std::vector<int64_t> values_;
  uint32_t thread_ = 0;  // whose frame root_ is
  profile::NodeId root_ = 0;
  uint16_t span_ = 0;  // of the part that is added
  // By thread, the program's, span, text, and unit and number of the size; no state reads like an age.
  std::map<std::tuple<uint32_t, uint32_t, uint16_t, std::string, std::string, int64_t>, profile::LabelSetId>
      labels_by_value_;
};

// How many parts before its turn the memory that a part needs is asked for: it lies anywhere, and comes slowly.
constexpr size_t kAhead = 8;
constexpr uint32_t kManyNodesAStack = 64;

// Which of `counts` comes when: with options.threads thread by thread, stacks by their places.
struct Turn {
  uint32_t thread;  // 0 where threads are not told apart
  uint32_t place;
  uint32_t part;
};

std::vector<Turn> turns_of(const std::vector<SampleCounts::Part>& counts, const StackTree& tree, bool by_thread) {
  // Few stacks are not worth a walk through all of a large tree: numbers of nodes do, which runs of it have together.
  std::vector<uint32_t> places;
  if (counts.size() >= tree.id_end() / kManyNodesAStack) places = stack_places(tree);
  std::vector<Turn> turns;
  turns.reserve(counts.size());
  for (const SampleCounts::Part& part : counts) {
    uint32_t place = places.empty() ? part.key.stack : places[part.key.stack];
    turns.push_back({by_thread ? part.key.thread : 0, place, static_cast<uint32_t>(turns.size())});
  }
  std::sort(turns.begin(), turns.end(), [](const Turn& a, const Turn& b) {
    return std::tie(a.thread, a.place, a.part) < std::tie(b.thread, b.place, b.part);
  });
  return turns;
}

}  // namespace

void build_model(const SampleMeanings& meanings, const std::vector<SampleCounts::Part>& counts, const Options& options,
                 FrameNamer* namer, const EventColumns& columns, profile::Profile* profile) {
  std::vector<Turn> turns = turns_of(counts, meanings.tree, options.threads);
  profile->reserve(meanings.tree.node_count(), counts.size());  // about as many: few frames get the same name
  ModelBuilder builder(meanings, options, namer, columns, profile);
  for (size_t at = 0; at < turns.size(); ++at) {
    if (at + 2 * kAhead < turns.size()) __builtin_prefetch(&counts[turns[at + 2 * kAhead].part]);
    if (at + kAhead < turns.size()) meanings.tree.prefetch(counts[turns[at + kAhead].part].key.stack);
    builder.add(counts[turns[at].part]);
  }
}

}  // namespace hearth::session
