#include "profile/model/preorder_builder.h"

#include <algorithm>

namespace hearth::profile {

PreorderBuilder::PreorderBuilder(Profile* profile, bool is_in_preorder)
    : profile_(profile), is_in_preorder_(is_in_preorder) {
  const std::vector<Node>& nodes = profile->nodes();
  for (NodeId node = 1; node < nodes.size(); ++node)
    if (nodes[node].parent == 0) note_root_child(nodes[node].location);
}

void PreorderBuilder::note_root_child(LocationId location) {
  if (location >= root_children_.size()) root_children_.resize(profile_->locations().size());
  root_children_[location] = true;
}

// Whether the root has this child, and its subtree is complete.
bool PreorderBuilder::has_left(LocationId root_child) const {
  bool is_open = path_.size() > 1 && profile_->nodes()[path_[1]].location == root_child;
  return !is_open && root_child < root_children_.size() && root_children_[root_child];
}

NodeId PreorderBuilder::append(NodeId parent, LocationId location) {
  path_.resize(1);  // other children of the parents on it are unknown now
  if (parent == 0) note_root_child(location);
  return profile_->append_node({parent, location});
}

NodeId PreorderBuilder::child(NodeId parent, LocationId location) {
  size_t depth = path_.size();
  while (is_in_preorder_ && depth > 0 && path_[depth - 1] != parent) --depth;
  if (depth == 0 || (parent == 0 && has_left(location))) is_in_preorder_ = false;
  if (!is_in_preorder_) return profile_->child(parent, location);
  if (depth < path_.size() && profile_->nodes()[path_[depth]].location == location) return path_[depth];
  path_.resize(depth);
  path_.push_back(profile_->append_node({parent, location}));
  if (parent == 0) note_root_child(location);
  return path_.back();
}

// Their number if it is not among them.
size_t PreorderBuilder::find_sample(const Profile::Sample& sample) {
  size_t count = profile_->sample_count();
  auto is_it = [&](size_t id) {
    const Profile::Sample& other = profile_->sample(id);
    return other.stack == sample.stack && other.labels == sample.labels && other.time == sample.time;
  };
  if (count - first_sample_ < kFew) {
    size_t at = first_sample_;
    while (at < count && !is_it(at)) ++at;
    return at;
  }
  auto hash = [](const Profile::Sample& one) { return mix(one.labels, one.time); };
  for (size_t at = first_sample_ + samples_.size(); at < count; ++at)
    samples_.find_or_enter(hash(profile_->sample(at)), at, [&](uint32_t id) { return id == at; });
  return samples_.find(hash(sample), is_it).value_or(count);
}

void PreorderBuilder::add(NodeId stack, LabelSetId labels, const int64_t* values, TimeStep time) {
  if (stack == 0) stack = child(0, profile_->location(profile_->function("[unknown]", FrameKind::kMarker), 0));
  size_t count = profile_->sample_count();
  NodeId newest = count == 0 ? 0 : profile_->sample(count - 1).stack;
  if (stack < newest) is_in_preorder_ = false;
  if (!is_in_preorder_) return profile_->add(stack, labels, values, time);
  if (stack != newest) {
    first_sample_ = count;
    if (samples_.size() > 0) samples_ = {};
  }
  Profile::Sample sample = {stack, labels, time};
  size_t known = find_sample(sample);
  if (known == count)
    profile_->append_sample(sample, values);
  else
    profile_->add_values(known, values);
}

}  // namespace hearth::profile
