// Fills a profile whose stacks come in preorder without the indexes that Profile needs of any order: half of its
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
  // `is_in_preorder`: below each child of the root no child is asked for again after one of its later siblings was, and
  // no stack gets a sample after a later one did. Else, and from where it turns out not to be so, these are Profile's
  // own calls. What the profile has already comes before that, and nobody else adds to it meanwhile.
  PreorderBuilder(Profile* profile, bool is_in_preorder);

  // Behind all nodes that there are, a child that its parent has not yet.
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
  std::vector<NodeId> way_{0};       // from the root to the newest node
  std::vector<bool> root_children_;  // by location: whether the root has it
  size_t first_sample_ = 0;          // of the newest stack that has any
  IdIndex samples_;                  // of that, where they are not few
};

}  // namespace hearth::profile
