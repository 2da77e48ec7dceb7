// Who made whom wait, from the stacks of the events "holders" and "wakers": the frames that hold a lock or end a wait,
// "[holds CLASS]" or "[wakes CLASS]", and the frames that wait.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "profile/analysis/call_tree.h"

namespace hearth::profile {

// Waits for an object of one class, in one method, that another method made last or ended.
struct WaitForOther {
  std::string_view relation;  // kHoldsWord or kWakesWord
  std::string object;         // class; "": unknown
  std::string other;          // the innermost method that is not the JDK's; or a marker, as "[deadlock]"
  std::string waiter;         // the same of the thread that waits for this object
  int64_t total = 0;          // of these waits, and of those for locks that the waiters held meanwhile
  int64_t further = 0;        // the part of the latter
};

// Heaviest first, then by name; empty for other events.
std::vector<WaitForOther> waits_for_others(const CallTree& tree, size_t value);

}  // namespace hearth::profile
