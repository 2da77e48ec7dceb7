#include "profile/page/min_width.h"

#include <utility>
#include <vector>

#include "profile/model/id_index.h"
#include "profile/model/stack_filter.h"
#include "profile/page/tree_frames.h"

namespace hearth::profile {
namespace {

// Node -> node of the tree with stacks of equal text merged.
std::vector<uint32_t> nodes_as_read(const Profile& profile, const WriteOptions& options) {
  TreeFrames numbers = frames_as_read(profile, options);
  struct Merged {
    uint32_t parent;
    uint32_t reading;
  };
  std::vector<Merged> merged{{UINT32_MAX, UINT32_MAX}};
  IdIndex index;
  index.find_or_claim(0, [](uint32_t) { return false; });  // the root
  std::vector<uint32_t> of_node{0};
  for (NodeId node = 1; node < profile.nodes().size(); ++node) {
    const Node& own = profile.nodes()[node];
    Merged read = {of_node[own.parent], numbers.reading[numbers.of_location[own.location]]};
    uint32_t id = index.find_or_claim(mix(read.parent, read.reading), [&](uint32_t known) {
      return merged[known].parent == read.parent && merged[known].reading == read.reading;
    });
    if (id == merged.size()) merged.push_back(read);
    of_node.push_back(id);
  }
  return of_node;
}

// By node: its total, with those of all nodes that have equal text.
std::vector<int64_t> totals_as_read(const Profile& profile, const WriteOptions& options, const std::vector<bool>& shown,
                                    size_t lens) {
  std::vector<int64_t> totals(profile.nodes().size());
  for (size_t index = 0; index < profile.sample_count(); ++index) {
    NodeId stack = profile.sample(index).stack;
    if (shown[stack]) totals[stack] = saturating_sum(totals[stack], profile.values(index)[lens]);
  }
  for (NodeId node = static_cast<NodeId>(totals.size()) - 1; node > 0; --node) {
    int64_t& parent = totals[profile.nodes()[node].parent];
    parent = saturating_sum(parent, totals[node]);
  }
  std::vector<uint32_t> merged = nodes_as_read(profile, options);
  std::vector<int64_t> sums(totals.size());
  for (NodeId node = 0; node < totals.size(); ++node)
    sums[merged[node]] = saturating_sum(sums[merged[node]], totals[node]);
  for (NodeId node = 0; node < totals.size(); ++node) totals[node] = sums[merged[node]];
  return totals;
}

}  // namespace

Profile without_narrow_nodes(const Profile& profile, const WriteOptions& options, size_t lens) {
  Profile kept;
  kept.value_types = profile.value_types;
  kept.metadata = profile.metadata;
  kept.quality = profile.quality;
  std::vector<bool> shown = shown_stacks(profile, options);
  std::vector<int64_t> totals = totals_as_read(profile, options, shown, lens);
  double least = static_cast<double>(totals[0]) * options.minwidth / 100;
  for (const LabelSet& labels : profile.label_sets()) kept.label_set(labels);  // their numbers stay the same
  LocationId marker = kept.location(kept.function("[below minwidth]", FrameKind::kMarker), 0);
  std::vector<NodeId> nodes{0};
  std::vector<bool> is_marker{false};
  for (NodeId node = 1; node < totals.size(); ++node) {
    const Node& own = profile.nodes()[node];
    const Location& location = profile.locations()[own.location];
    NodeId parent = nodes[own.parent];
    bool is_small = !is_marker[own.parent] && static_cast<double>(totals[node]) < least;
    is_marker.push_back(is_marker[own.parent] || is_small);
    if (is_marker[own.parent])
      nodes.push_back(parent);
    else if (is_small)
      nodes.push_back(kept.child(parent, marker));
    else
      nodes.push_back(kept.child(parent, kept.location(kept.function(profile.function_name(location.function),
                                                                     profile.functions()[location.function].kind),
                                                       location.line)));
  }
  for (size_t index = 0; index < profile.sample_count(); ++index) {
    const Profile::Sample& sample = profile.sample(index);
    if (!shown[sample.stack]) continue;
    kept.add(nodes[sample.stack], sample.labels, profile.values(index), sample.time);
  }
  return kept;
}

}  // namespace hearth::profile
