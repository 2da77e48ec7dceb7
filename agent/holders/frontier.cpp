#include "holders/frontier.h"

namespace hearth::holders {

Frontier::Object Frontier::take() {
  takes_last_ = is_deep();
  Object taken = takes_last_ ? objects_.back() : objects_.front();
  if (takes_last_)
    objects_.pop_back();
  else
    objects_.pop_front();
  return taken;
}

void Frontier::put_back(const Object& object) {
  if (takes_last_)
    objects_.push_back(object);
  else
    objects_.push_front(object);
}

}  // namespace hearth::holders
