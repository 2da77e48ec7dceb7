// Copies stacks from one profile to another, each frame once.
#pragma once

#include <vector>

#include "profile/model/profile.h"

namespace hearth::profile {

class StackCopier {
 public:
  // Both must outlive this.
  StackCopier(const Profile* from, Profile* to) : from_(from), to_(to), copies_(from->nodes().size(), 0) {}

  NodeId copy(NodeId stack);
  LocationId location(LocationId id);
  LocationId function(FunctionId id);  // without a line

 private:
  FunctionId copy_of(FunctionId id);

  const Profile* from_;
  Profile* to_;
  std::vector<NodeId> copies_;  // 0: not copied
};

}  // namespace hearth::profile
