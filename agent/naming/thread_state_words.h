// Names the state of a sampled thread: the finding of the signal path, refined by the names on the stack.
#pragma once

#include <string_view>

#include "events/wall/thread_state.h"
#include "profile/model/profile.h"

namespace hearth::naming {

// Returns one of running, runnable, monitor, waiting, parked, sleeping, safepoint, socket, file, syscall; "" for kNone.
// `stack`: as named in `profile`.
std::string_view thread_state_word(events::ThreadState state, const profile::Profile& profile, profile::NodeId stack);

}  // namespace hearth::naming
