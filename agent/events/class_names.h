// The classes of allocated objects, by number: what a class is called outlives the class. Thread safe.
#pragma once

#include <cstdint>
#include <deque>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

namespace hearth::events {

class ClassNames {
 public:
  // `signature`: JVMTI's, "Ljava/lang/String;", "[I". Equal ones have equal numbers.
  uint32_t number_of(std::string_view signature);
  std::string signature(uint32_t number) const;

 private:
  mutable std::mutex mutex_;
  std::deque<std::string> signatures_;  // never moved: the index points into them
  std::unordered_map<std::string_view, uint32_t> numbers_;
};

}  // namespace hearth::events
