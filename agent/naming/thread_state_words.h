// The word for what a sampled thread was doing: what the signal path could tell, made exact by the names on its stack.
#pragma once

#include <string_view>

#include "events/wall/thread_state.h"
#include "profile/model/profile.h"

namespace hearth::naming {

// One of running, runnable, monitor, waiting, parked, sleeping, safepoint, socket, file, syscall; "" for kNone.
// `stack`: as named in `profile`.
std::string_view thread_state_word(events::ThreadState state, const profile::Profile& profile, profile::NodeId stack);

}  // namespace hearth::naming
