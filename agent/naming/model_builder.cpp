#include "naming/model_builder.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/formatted.h"
#include "naming/io_labels.h"
#include "naming/preorder_numbering.h"
#include "naming/sample_labels.h"
#include "naming/thread_state_words.h"
#include "profile/model/allocation_time.h"
#include "profile/model/event_view.h"
#include "profile/model/label_values.h"
#include "profile/model/preorder_builder.h"
#include "profile/page/tree_frames.h"

namespace hearth::naming {
namespace {

using capture::StackTree;

// Number of steps by which the memory of a part is prefetched: parts are scattered over memory.
constexpr size_t kAhead = 8;
// With more nodes than this for each stack the nodes' ids order the stacks: a walk through a large tree would cost more
// than it saves, and the nodes of a run have neighbouring ids.
constexpr uint32_t kManyNodesAStack = 64;

// An entry of the processing order has the sort key in its upper half and the index of a part in its lower half.
uint32_t part_of(uint64_t entry) {
  return static_cast<uint32_t>(entry);
}

// By serial number of a thread, the first serial with the same id and name. A thread that was left out for a while has
// several serials and one tree of stacks.
std::vector<uint32_t> first_serials(const std::vector<events::ThreadRegistry::Thread>& threads) {
  std::map<std::pair<int, std::string>, uint32_t> known;
  std::vector<uint32_t> first(threads.size());
  for (uint32_t serial = 0; serial < threads.size(); ++serial)
    first[serial] = known.try_emplace({threads[serial].tid, threads[serial].name}, serial).first->second;
  return first;
}

// Returns the order in which `counts` are added: thread by thread if `serials` is not empty, then by preorder number of
// the stack, or by its id if `preorder` is empty.
std::vector<uint64_t> processing_order(const std::vector<session::SampleCounts::Part>& counts,
                                       const std::vector<uint32_t>& preorder, const std::vector<uint32_t>& serials) {
  std::vector<uint64_t> order(counts.size());
  auto thread_of = [&](uint32_t serial) { return serial < serials.size() ? serials[serial] : serial; };
  for (uint32_t part = 0; part < order.size(); ++part)
    order[part] = uint64_t{serials.empty() ? 0 : thread_of(counts[part].key.thread)} << 32 | part;
  if (!serials.empty()) std::sort(order.begin(), order.end());
  for (auto begin = order.begin(); begin != order.end();) {
    uint64_t thread = *begin >> 32;
    auto end = begin;
    for (; end != order.end() && *end >> 32 == thread; ++end) {
      uint32_t stack = counts[part_of(*end)].key.stack;
      *end = uint64_t{preorder.empty() ? stack : preorder[stack]} << 32 | part_of(*end);
    }
    std::sort(begin, end);
    begin = end;
  }
  return order;
}

class ModelBuilder {
 public:
  ModelBuilder(const SampleResolver& resolver, const options::Options& options, FrameNamer* namer,
               const EventColumns& columns, profile::Profile* profile)
      : tree_(resolver.tree),
        threads_(resolver.threads),
        label_sets_(resolver.labels),
        spans_(resolver.spans),
        traits_(resolver.traits),
        has_dates_(resolver.has_dates),
        options_(options),
        namer_(namer),
        columns_(columns),
        profile_(profile),
        stacks_(profile, false) {
    if (options.threads) serials_ = first_serials(threads_);
  }

  std::vector<uint64_t> order_of(const std::vector<session::SampleCounts::Part>& counts) {
    if (rewrites_stacks()) return processing_order(counts, {}, serials_);
    if (counts.size() < tree_.id_end() / kManyNodesAStack) return processing_order(counts, {}, serials_);
    std::vector<bool> used = name_stacks(counts);
    if (!options_.threads) return processing_order(counts, preorder_nodes(used), {});
    stacks_ = {profile_, true};
    return processing_order(counts, preorder_index(tree_, used, sibling_order()), serials_);
  }

  // `entry`: the part's in order_of().
  void add(const session::SampleCounts::Part& part, uint64_t entry) {
    const auto& [key, time, count, span] = part;
    span_ = span;
    allocated_ = has_dates_ ? time : profile::kNoTime;
    uint32_t thread = key.thread < serials_.size() ? serials_[key.thread] : key.thread;
    if (options_.threads && thread != thread_) begin_thread(thread);
    values_.assign(profile_->value_types.size(), 0);
    columns_.add(key.event, count, &values_);
    if (columns_.has_bytes(key.event))
      columns_.add_bytes(key.event, count, traits_.io.of(key.state).mean_bytes, &values_);
    profile::NodeId stack = rewrites_stacks()    ? rewritten_node(key)
                            : numbers_are_nodes_ ? node_of_number(entry >> 32)
                                                 : profile_node(key.stack);
    if (is_time_without_stack(key, count))
      stack =
          stacks_.child(root_, profile_->location(profile_->function("[unsampled]", profile::FrameKind::kMarker), 0));
    stacks_.add(stack, labels_of(key, stack), values_.data(), has_dates_ ? profile::kNoTime : time);
  }

 private:
  static constexpr profile::LocationId kUnnamed = UINT32_MAX;
  static constexpr uint32_t kLastNumber = UINT32_MAX;

  // Makes each preorder number a node of the profile; only without a tree for each thread. The root gets the last
  // number: its child for samples without a stack follows all other nodes.
  std::vector<uint32_t> preorder_nodes(const std::vector<bool>& used) {
    std::vector<uint32_t> preorder = preorder_index(tree_, used, sibling_order(), [this](uint32_t parent, uint32_t id) {
      stacks_.append(parent, location_of(id));
    });
    if (!preorder.empty()) preorder[StackTree::kRoot] = kLastNumber;
    stacks_ = {profile_, true};
    numbers_are_nodes_ = true;
    return preorder;
  }

  static profile::NodeId node_of_number(uint64_t number) {
    return number == kLastNumber ? 0 : static_cast<profile::NodeId>(number);
  }

  // Names the frames of all counted stacks. Returns by node of the tree whether it is part of one.
  std::vector<bool> name_stacks(const std::vector<session::SampleCounts::Part>& counts) {
    std::vector<bool> used(tree_.id_end());
    for (const session::SampleCounts::Part& part : counts) {
      for (uint32_t at = part.key.stack; at != StackTree::kRoot && !used[at]; at = tree_.parent(at)) {
        used[at] = true;
        location_of(at);
      }
    }
    return used;
  }

  // The order of siblings in the tree of a page. Frames must have names.
  SiblingOrder sibling_order() const {
    // Frames that differ only in their file are two frames.
    std::vector<uint32_t> frames = profile::frames_apart(*profile_).of_location;
    std::vector<profile::LocationId> sorted(frames.size());
    std::iota(sorted.begin(), sorted.end(), 0);
    std::stable_sort(sorted.begin(), sorted.end(), [&](auto a, auto b) { return frames[a] < frames[b]; });
    std::vector<uint32_t> ranks(sorted.size());
    for (uint32_t rank = 0; rank < sorted.size(); ++rank) ranks[sorted[rank]] = rank;
    SiblingOrder order;
    for (profile::LocationId location : locations_) order.rank.push_back(location == kUnnamed ? 0 : ranks[location]);
    if (namer_->joins_clojure_calls())
      order.is_one_call = [this](uint32_t outer, uint32_t inner) { return is_one_call(outer, inner); };
    return order;
  }

  // The name is "?" if it is not known.
  events::ThreadRegistry::Thread thread(uint32_t serial) const {
    events::ThreadRegistry::Thread thread;
    if (serial < threads_.size()) thread = threads_[serial];
    if (thread.name.empty()) thread.name = "?";
    return thread;
  }

  profile::LabelSet thread_labels(uint32_t serial) const {
    if (serial == 0) return {};
    auto [tid, name] = thread(serial);
    return {{std::string(profile::kThreadLabel), name, 0, ""}, {std::string(profile::kTidLabel), "", tid, ""}};
  }

  void begin_thread(uint32_t serial) {
    auto [tid, name] = thread(serial);
    root_ = stacks_.child(
        0, profile_->location(profile_->function(formatted("[{} tid={}]", name, tid), profile::FrameKind::kThread), 0));
    path_.clear();
    thread_ = serial;
  }

  static bool is_time_without_stack(const session::SampleCounts::Key& key, const session::SampleCounts::Count& count) {
    return key.stack == StackTree::kRoot && count.samples == 0;
  }

  profile::LabelSetId labels_of(const session::SampleCounts::Key& key, profile::NodeId stack) {
    profile::SampleLabel meaning = columns_.label(key.event);
    std::string_view word;
    if (meaning == profile::SampleLabel::kThreadState)
      word = thread_state_word(events::state_of(key.state), *profile_, stack);
    if (meaning == profile::SampleLabel::kIo && handshakes_.has_one(*profile_, stack)) word = kHandshake;
    uint16_t number = number_of_label(meaning, key.state);
    auto [found, is_new] =
        labels_by_value_.try_emplace({key.thread, key.labels, span_, meaning, word, number, allocated_}, 0);
    if (!is_new) return found->second;
    profile::LabelSet labels = thread_labels(key.thread);
    add_program_labels(label_sets_, key.labels, spans_, span_, &labels);
    add_own_labels(meaning, word, number, traits_, namer_, &labels);
    if (allocated_ != profile::kNoTime)
      labels.push_back({std::string(profile::kAllocatedLabel), profile::allocation_text(allocated_), 0, ""});
    return found->second = profile_->label_set(std::move(labels));
  }

  // Parents have smaller ids than their children. Loops instead of recursion, as stacks may have thousands of frames.
  profile::NodeId profile_node(uint32_t stack) {
    new_steps_.clear();
    for (uint32_t at = stack;; at = tree_.parent(at)) {
      while (!path_.empty() && path_.back().id > at) path_.pop_back();
      if (at == StackTree::kRoot || (!path_.empty() && path_.back().id == at)) break;
      new_steps_.push_back(at);
    }
    for (; !new_steps_.empty(); new_steps_.pop_back())
      path_.push_back({new_steps_.back(), parent_of(new_steps_.back())});
    return path_.empty() ? root_ : node_of(&path_.back());
  }

  // Whether stacks differ from those of the tree.
  bool rewrites_stacks() const { return !options_.native_roots || options_.record_cpu; }

  // The node of a stack without the native frames that have called Java code, below a frame for the CPU, as the options
  // ask for.
  profile::NodeId rewritten_node(const session::SampleCounts::Key& key) {
    new_steps_.clear();
    bool has_java = false;
    for (uint32_t at = key.stack; at != StackTree::kRoot; at = tree_.parent(at)) {
      capture::Frame frame = tree_.frame(at);
      bool is_shown = options_.native_roots || !has_java || !is_native(frame);
      if (is_shown && !is_hidden_end(frame, options_)) new_steps_.push_back(at);
      has_java = has_java || frame.is_java();
    }
    profile::NodeId node = root_;
    if (key.state >= events::kOnCpu) {
      node = stacks_.child(
          node, profile_->location(profile_->function(cpu_frame(key.state), profile::FrameKind::kMarker), 0));
    }
    uint32_t compiled = take_compiled_method();
    for (; !new_steps_.empty(); new_steps_.pop_back()) {
      size_t inner = new_steps_.size() - 2;
      bool is_replaced = new_steps_.size() > 1 && is_one_call(new_steps_.back(), new_steps_[inner]);
      if (is_replaced) continue;
      node = stacks_.child(node, location_of(new_steps_.back()));
      if (compiled == StackTree::kRoot || !is_compilation(node)) continue;
      node = stacks_.child(node, location_of(compiled));
      compiled = StackTree::kRoot;
    }
    return compiled != StackTree::kRoot ? stacks_.child(node, location_of(compiled)) : node;
  }

  // Of a compiler thread's stack: the frame of the method that it compiles, which is the outermost. async-profiler has
  // it above the function that compiles it.
  uint32_t take_compiled_method() {
    bool has_one = options_.speaks_asprof && options_.compilations && new_steps_.size() > 1 &&
                   tree_.frame(new_steps_.back()).is_java() &&
                   !tree_.frame(new_steps_[new_steps_.size() - 2]).is_java();
    if (!has_one) return StackTree::kRoot;
    uint32_t compiled = new_steps_.back();
    new_steps_.pop_back();
    return compiled;
  }

  bool is_compilation(profile::NodeId node) const {
    constexpr std::string_view kEnd = "Compiler::compile_method";
    std::string_view name = profile_->text(profile_->functions()[profile_->function_of(node)].name);
    return name.size() >= kEnd.size() && name.substr(name.size() - kEnd.size()) == kEnd;
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

  // The parent of the next step on the path. The inner half of a Clojure call, which has the line, replaces the outer
  // half.
  profile::NodeId parent_of(uint32_t id) {
    if (path_.empty()) return root_;
    Step* caller = &path_.back();
    return is_one_call(caller->id, id) ? caller->parent : node_of(caller);
  }

  bool is_one_call(uint32_t outer, uint32_t inner) const {
    return namer_->joins_clojure_calls() && outer != StackTree::kRoot &&
           namer_->same_clojure_call(tree_.frame(outer), tree_.frame(inner));
  }

  const StackTree& tree_;
  const std::vector<events::ThreadRegistry::Thread>& threads_;
  const vm::LabelSets& label_sets_;
  const capture::SpanTable& spans_;
  const events::EventTraits& traits_;
  const bool has_dates_;
  const options::Options& options_;
  FrameNamer* namer_;
  const EventColumns& columns_;
  Handshakes handshakes_;
  profile::Profile* profile_;
  profile::PreorderBuilder stacks_;
  bool numbers_are_nodes_ = false;
  std::vector<Step> path_;  // to the previous stack: the next one shares its outer part
  std::vector<uint32_t> new_steps_;
  std::vector<profile::LocationId> locations_;  // by frame number; kUnnamed: not looked up yet
  std::vector<int64_t> values_;
  std::vector<uint32_t> serials_;  // from first_serials(); empty unless each thread has its own tree
  uint32_t thread_ = 0;            // root_ is its frame
  profile::NodeId root_ = 0;
  uint16_t span_ = 0;  // this and the next of the current part
  profile::TimeStep allocated_ = profile::kNoTime;
  // By thread, labels of the program, span, meaning, word and number of the state, and the time of the allocation.
  // Words are constants.
  std::map<
      std::tuple<uint32_t, uint32_t, uint16_t, profile::SampleLabel, std::string_view, uint16_t, profile::TimeStep>,
      profile::LabelSetId>
      labels_by_value_;
};

}  // namespace

void build_model(const SampleResolver& resolver, const std::vector<session::SampleCounts::Part>& counts,
                 const options::Options& options, FrameNamer* namer, const EventColumns& columns,
                 profile::Profile* profile) {
  profile->reserve(resolver.tree.node_count(), 0);  // about as many: few frames get the same name
  ModelBuilder builder(resolver, options, namer, columns, profile);
  std::vector<uint64_t> order = builder.order_of(counts);
  profile->reserve(0, counts.size());  // in the memory that the preorder numbers used
  for (size_t at = 0; at < order.size(); ++at) {
    if (at + 2 * kAhead < order.size()) __builtin_prefetch(&counts[part_of(order[at + 2 * kAhead])]);
    if (at + kAhead < order.size()) resolver.tree.prefetch(counts[part_of(order[at + kAhead])].key.stack);
    builder.add(counts[part_of(order[at])], order[at]);
  }
}

}  // namespace hearth::naming
