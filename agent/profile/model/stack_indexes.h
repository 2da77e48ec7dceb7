// Finds nodes and samples of a profile again, while it is built. Not thread safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "profile/model/id_index.h"

namespace hearth::profile {

using LocationId = uint32_t;  // index into Profile::locations()
using NodeId = uint32_t;      // index into Profile::nodes(), 0 is the root, which has no frame
using LabelSetId = uint32_t;  // index into Profile::label_sets(), 0 is "no labels"
using TimeStep = uint32_t;    // number of a step of Metadata::time_step_ns, from the profile's start
inline constexpr TimeStep kNoTime = UINT32_MAX;

struct Node {
  NodeId parent;  // always smaller than the node's own id
  LocationId location;
};

struct StackSample {
  NodeId stack;
  LabelSetId labels;
  TimeStep time;
};

// The children of each node. After clear() the next call indexes all nodes again.
class ChildIndex {
 public:
  // Returns the child of `parent` with this location; appends it to `nodes` if it is new.
  NodeId find_or_append(std::vector<Node>* nodes, NodeId parent, LocationId location);
  void clear();

 private:
  NodeId make_last(const std::vector<Node>& nodes, NodeId node);
  void index_all(const std::vector<Node>& nodes);

  // By node: the child requested last, if it does not follow its parent directly; 0: none. Stacks recur, and successive
  // stacks are close together here, while the index scatters them.
  std::vector<NodeId> last_child_;
  IdIndex others_;  // without nodes that directly follow their parents, and without last children that never changed
};

// The samples by stack, label set and time. After clear() the next call indexes all samples again.
class SampleIndex {
 public:
  // Returns the index of the equal sample; samples.size() if there is none, which the caller must append.
  // `nodes`: how many there are.
  uint32_t find_or_claim(const std::vector<StackSample>& samples, const StackSample& sample, size_t nodes);
  void clear();

 private:
  static constexpr uint32_t kNoSample = UINT32_MAX;

  uint32_t find_or_enter(const std::vector<StackSample>& samples, const StackSample& sample, size_t next, size_t nodes);

  std::vector<uint32_t> first_;  // by node, kNoSample: none; may be shorter than the nodes
  IdIndex others_;               // without the first sample of each stack
};

}  // namespace hearth::profile
