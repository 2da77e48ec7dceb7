// Who made whom wait, from the stacks of the event "holders": the frames that hold a lock, "[holds CLASS]", and the
// frames that wait for it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "profile/analysis/call_tree.h"

namespace hearth::profile {

// Waits for a lock of one class that one method held, from another method.
struct HeldLock {
  std::string lock;     // class; "": unknown
  std::string holder;   // the innermost method that is not the JDK's; or a marker, as "[deadlock]"
  std::string waiter;   // the same of the thread that waits for this lock
  int64_t total = 0;    // of these waits, and of those for locks that the waiters held meanwhile
  int64_t further = 0;  // the part of the latter
};

// Heaviest first, then by name; empty for other events.
std::vector<HeldLock> held_locks(const CallTree& tree, size_t value);

}  // namespace hearth::profile
