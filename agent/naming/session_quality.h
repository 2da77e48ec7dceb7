// The quality of a session's samples: how many there are and how many were lost, how complete stacks are, the cost of
// profiling, and notes for readers.
#pragma once

#include <string>
#include <vector>

#include "profile/model/profile.h"
#include "session/session_snapshot.h"
#include "session/session_state.h"

namespace hearth::naming {

// Everything that is known at once. These come under one of the agent's locks.
profile::Quality quality_of(const session::SessionState& session);

// In addition: samples without symbols and allocations by thread, which take longer to find. Drains the session's ring.
profile::Quality full_quality_of(session::SessionState* session);

// One line for each event of the range that was paused in it.
std::vector<std::string> pause_notes(const session::SessionState& session, const session::ProfileRange& range);

}  // namespace hearth::naming
