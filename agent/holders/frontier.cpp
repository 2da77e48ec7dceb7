#include "holders/frontier.h"

#include <utility>

namespace hearth::holders {
void Frontier::add_root(const Object& object) {
  branches_.emplace_back().objects.push_back(object);
  size_++;
}

void Frontier::add(const Object& object) {
  branches_.front().objects.push_back(object);
  size_++;
}

void Frontier::next_branch() {
  bool ends = left_ == 0;
  left_ = kInARow;
  while (branches_.front().empty()) {
    branches_.pop_front();
    ends = false;
  }
  if (!ends) return;
  branches_.push_back(std::move(branches_.front()));
  branches_.pop_front();
  while (branches_.front().empty()) branches_.pop_front();
}

Frontier::Object Frontier::take() {
  if (left_ == 0 || branches_.front().empty()) next_branch();
  left_--;
  size_--;
  takes_last_ = is_deep();
  Branch& branch = branches_.front();
  if (takes_last_) {
    Object taken = branch.objects.back();
    branch.objects.pop_back();
    return taken;
  }
  Object taken = branch.objects[branch.first++];
  if (branch.first >= kInARow && 2 * branch.first >= branch.objects.size()) {
    branch.objects.erase(branch.objects.begin(), branch.objects.begin() + static_cast<ptrdiff_t>(branch.first));
    branch.first = 0;
  }
  return taken;
}

void Frontier::put_back(const Object& object) {
  Branch& branch = branches_.front();
  if (takes_last_) {
    branch.objects.push_back(object);
  } else if (branch.first > 0) {
    branch.objects[--branch.first] = object;
  } else {
    branch.objects.insert(branch.objects.begin(), object);
  }
  size_++;
}

}  // namespace hearth::holders
