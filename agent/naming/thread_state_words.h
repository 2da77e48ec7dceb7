// Names the state of a sampled thread: the finding of the signal path, refined by the names on the stack.
#pragma once

#include <string_view>

#include "events/wall/thread_state.h"
#include "profile/model/profile.h"

namespace hearth::naming {

// Searches a stack, from its innermost frame to the innermost Java frame, for a frame that explains a wait.
class WaitCause {
 public:
  // True: further frames tell no more.
  bool look_at(const profile::Profile& profile, const profile::Function& function);
  std::string_view word() const { return word_; }  // "": not known

 private:
  std::string_view word_;
  bool is_known_ = false;
};

// Returns one of running, stolen, runnable, throttled, monitor, waiting, parked, sleeping, safepoint, socket, file,
// syscall; "" for kNone. `stack`: as named in `profile`.
std::string_view thread_state_word(events::ThreadState state, const profile::Profile& profile, profile::NodeId stack);
std::string_view thread_state_word(events::ThreadState state, const WaitCause& cause);

}  // namespace hearth::naming
