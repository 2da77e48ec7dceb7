#include "session/model_builder.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>
#include <vector>

#include "base/formatted.h"
#include "events/size_class.h"
#include "profile/event_view.h"
#include "profile/label_values.h"
#include "profile/preorder_builder.h"
#include "profile/sampling_variance.h"
#include "profile/tree_frames.h"
#include "session/live_profile.h"
#include "session/span_labels.h"
#include "session/stack_places.h"
#include "session/thread_state_words.h"

namespace hearth::session {
namespace {

using capture::StackTree;

// How many parts before its turn the memory that a part needs is asked for: it lies anywhere, and comes slowly.
constexpr size_t kAhead = 8;
// Few stacks are not worth a walk through all of a large tree: numbers of nodes do, which runs of it have together.
constexpr uint32_t kManyNodesAStack = 64;

uint32_t part_of(uint64_t turn) {
  return static_cast<uint32_t>(turn);
}

// Which of `counts` comes when, by their lower halves: with `by_thread` thread by thread, stacks by their places.
std::vector<uint64_t> turns_of(const std::vector<SampleCounts::Part>& counts, const std::vector<uint32_t>& places,
                               bool by_thread) {
  std::vector<uint64_t> turns(counts.size());
  for (uint32_t part = 0; part < turns.size(); ++part)
    turns[part] = uint64_t{by_thread ? counts[part].key.thread : 0} << 32 | part;
  if (by_thread) std::sort(turns.begin(), turns.end());
  for (auto begin = turns.begin(); begin != turns.end();) {
    uint64_t thread = *begin >> 32;
    auto end = begin;
    for (; end != turns.end() && *end >> 32 == thread; ++end) {
      uint32_t stack = counts[part_of(*end)].key.stack;
      *end = uint64_t{places.empty() ? stack : places[stack]} << 32 | part_of(*end);
    }
    std::sort(begin, end);
    begin = end;
  }
  return turns;
}

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
        profile_(profile),
        stacks_(profile, false) {}

  std::vector<uint64_t> turns(const std::vector<SampleCounts::Part>& counts) {
    if (counts.size() < tree_.id_end() / kManyNodesAStack) return turns_of(counts, {}, options_.threads);
    std::vector<bool> used = name_stacks(counts);
    if (!options_.threads) return turns_of(counts, places_made_nodes(used), false);
    stacks_ = {profile_, true};
    return turns_of(counts, stack_places(tree_, used, sibling_order()), true);
  }

  void add(const SampleCounts::Part& part, uint64_t turn) {
    const auto& [key, time, count, span] = part;
    span_ = span;
    if (options_.threads && key.thread != thread_) begin_thread(key.thread);
    values_.assign(profile_->value_types.size(), 0);
    columns_.add(key.event, count, &values_);
    profile::NodeId stack = places_are_nodes_ ? node_of_place(turn >> 32) : profile_node(key.stack);
    if (is_time_without_stack(key, count))
      stack =
          stacks_.child(root_, profile_->location(profile_->function("[unsampled]", profile::FrameKind::kMarker), 0));
    stacks_.add(stack, labels_of(key, stack), values_.data(), time);
  }

 private:
  static constexpr profile::LocationId kUnnamed = UINT32_MAX;
  static constexpr uint32_t kLastPlace = UINT32_MAX;

  // Where no thread has a tree of its own, each place is a node of the profile. The root's comes last: what it counts
  // becomes a child of it, behind those that there are.
  std::vector<uint32_t> places_made_nodes(const std::vector<bool>& used) {
    std::vector<uint32_t> places =
        stack_places(tree_, used, sibling_order(),
                     [this](uint32_t parent_place, uint32_t id) { stacks_.append(parent_place, location_of(id)); });
    if (!places.empty()) places[StackTree::kRoot] = kLastPlace;
    stacks_ = {profile_, true};
    places_are_nodes_ = true;
    return places;
  }

  static profile::NodeId node_of_place(uint64_t place) {
    return place == kLastPlace ? 0 : static_cast<profile::NodeId>(place);
  }

  // Names the frames of all that was counted. By node of the tree: whether it is in a stack of that.
  std::vector<bool> name_stacks(const std::vector<SampleCounts::Part>& counts) {
    std::vector<bool> used(tree_.id_end());
    for (const SampleCounts::Part& part : counts) {
      for (uint32_t at = part.key.stack; at != StackTree::kRoot && !used[at]; at = tree_.parent(at)) {
        used[at] = true;
        location_of(at);
      }
    }
    return used;
  }

  // Of stacks that were named: as a page's tree has them.
  SiblingOrder sibling_order() const {
    // Frames that only a file tells apart are two.
    std::vector<uint32_t> frames = profile::frames_apart(*profile_).of_location;
    std::vector<profile::LocationId> sorted(frames.size());
    std::iota(sorted.begin(), sorted.end(), 0);
    std::stable_sort(sorted.begin(), sorted.end(), [&](auto a, auto b) { return frames[a] < frames[b]; });
    std::vector<uint32_t> places(sorted.size());
    for (uint32_t place = 0; place < sorted.size(); ++place) places[sorted[place]] = place;
    SiblingOrder order;
    for (profile::LocationId location : locations_) order.rank.push_back(location == kUnnamed ? 0 : places[location]);
    if (namer_->joins_clojure_calls())
      order.is_one_call = [this](uint32_t outer, uint32_t inner) { return is_one_call(outer, inner); };
    return order;
  }

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
    root_ = stacks_.child(
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
    for (; !new_steps_.empty(); new_steps_.pop_back())
      way_.push_back({new_steps_.back(), parent_of(new_steps_.back())});
    return way_.empty() ? root_ : node_of(&way_.back());
  }

  profile::LocationId location_of(uint32_t id) {
    uint32_t number = tree_.frame_number(id);
    if (number >= locations_.size()) locations_.resize(std::max<size_t>(number + 1, 2 * locations_.size()), kUnnamed);
    if (locations_[number] == kUnnamed) locations_[number] = namer_->location(tree_.frame(id));
    return locations_[number];
  }

  struct Step {
    uint32_t id;  // of the tree
    profile::NodeId parent;
    profile::NodeId node = 0;  // 0: not made yet
  };

  profile::NodeId node_of(Step* step) {
    if (step->node == 0) step->node = stacks_.child(step->parent, location_of(step->id));
    return step->node;
  }

  // Of the one that comes next on the way. The outer half of a Clojure call is replaced by the inner one, which knows
  // the line.
  profile::NodeId parent_of(uint32_t id) {
    if (way_.empty()) return root_;
    Step* caller = &way_.back();
    return is_one_call(caller->id, id) ? caller->parent : node_of(caller);
  }

  bool is_one_call(uint32_t outer, uint32_t inner) const {
    return namer_->joins_clojure_calls() && outer != StackTree::kRoot &&
           namer_->same_clojure_call(tree_.frame(outer), tree_.frame(inner));
  }

  const StackTree& tree_;
  const std::vector<events::ThreadRegistry::Thread>& threads_;
  const LabelSets& label_sets_;
  const capture::SpanTable& spans_;
  const Options& options_;
  FrameNamer* namer_;
  const EventColumns& columns_;
  profile::Profile* profile_;
  profile::PreorderBuilder stacks_;
  bool places_are_nodes_ = false;
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

}  // namespace

void build_model(const SampleMeanings& meanings, const std::vector<SampleCounts::Part>& counts, const Options& options,
                 FrameNamer* namer, const EventColumns& columns, profile::Profile* profile) {
  profile->reserve(meanings.tree.node_count(), 0);  // about as many: few frames get the same name
  ModelBuilder builder(meanings, options, namer, columns, profile);
  std::vector<uint64_t> turns = builder.turns(counts);
  profile->reserve(0, counts.size());  // where the places were
  for (size_t at = 0; at < turns.size(); ++at) {
    if (at + 2 * kAhead < turns.size()) __builtin_prefetch(&counts[part_of(turns[at + 2 * kAhead])]);
    if (at + kAhead < turns.size()) meanings.tree.prefetch(counts[part_of(turns[at + kAhead])].key.stack);
    builder.add(counts[part_of(turns[at])], turns[at]);
  }
}

}  // namespace hearth::session
