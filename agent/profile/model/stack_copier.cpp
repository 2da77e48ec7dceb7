#include "profile/model/stack_copier.h"

namespace hearth::profile {

NodeId StackCopier::copy(NodeId stack) {
  std::vector<NodeId> missing;
  for (; stack != 0 && copies_[stack] == 0; stack = from_->nodes()[stack].parent) missing.push_back(stack);
  NodeId copied = copies_[stack];
  for (; !missing.empty(); missing.pop_back()) {
    copied = to_->child(copied, location(from_->nodes()[missing.back()].location));
    copies_[missing.back()] = copied;
  }
  return copied;
}

LocationId StackCopier::location(LocationId id) {
  const Location& location = from_->locations()[id];
  return to_->location(copy_of(location.function), location.line);
}

LocationId StackCopier::function(FunctionId id) {
  return to_->location(copy_of(id), 0);
}

FunctionId StackCopier::copy_of(FunctionId id) {
  Function function = from_->functions()[id];
  for (StringId* text : {&function.name, &function.system_name, &function.file})
    *text = to_->string(from_->text(*text));
  return to_->function(function);
}

}  // namespace hearth::profile
