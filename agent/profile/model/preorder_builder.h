// Fills a profile from stacks in preorder without the indexes that Profile needs for any order, which are half of its
// memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "profile/model/id_index.h"
#include "profile/model/profile.h"

namespace hearth::profile {

class PreorderBuilder {
 public:
  // `is_in_preorder`: below each child of the root no child is requested again after one of its later siblings, and no
  // stack gets a sample after a later one. Otherwise, and once that turns out to be wrong, the calls are forwarded to
  // Profile. Existing data of the profile comes before, and nobody else adds to it meanwhile.
  PreorderBuilder(Profile* profile, bool is_in_preorder);

  // Appends a new child of its parent after all existing nodes.
  NodeId append(NodeId parent, LocationId location);
  // As those of Profile.
  NodeId child(NodeId parent, LocationId location);
  void add(NodeId stack, LabelSetId labels, const int64_t* values, TimeStep time);

 private:
  static constexpr size_t kFew = 8;

  bool has_left(LocationId root_child) const;
  void note_root_child(LocationId location);
  size_t find_sample(const Profile::Sample& sample);

  Profile* profile_;
  bool is_in_preorder_;
  std::vector<NodeId> path_{0};      // from the root to the newest node
  std::vector<bool> root_children_;  // by location: true if the root has this child
  size_t first_sample_ = 0;          // of the newest stack with samples
  IdIndex samples_;                  // of that stack, unless they are few
};

}  // namespace hearth::profile
