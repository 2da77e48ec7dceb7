#include "events/class_names.h"

namespace hearth::events {

uint32_t ClassNames::number_of(std::string_view signature) {
  std::lock_guard<std::mutex> lock(mutex_);
  auto found = numbers_.find(signature);
  if (found != numbers_.end()) return found->second;
  signatures_.emplace_back(signature);
  auto number = static_cast<uint32_t>(signatures_.size() - 1);
  numbers_.emplace(signatures_.back(), number);
  return number;
}

std::string ClassNames::signature(uint32_t number) const {
  std::lock_guard<std::mutex> lock(mutex_);
  return number < signatures_.size() ? signatures_[number] : "";
}

}  // namespace hearth::events
