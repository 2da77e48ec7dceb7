// Names of stacks, as a profile has them.
#pragma once

#include <jni.h>

#include <cstdint>
#include <string>
#include <vector>

#include "options/options.h"
#include "session/session_state.h"

namespace hearth::naming {

// Frames of each stack of the event "live", outermost first. `stacks`: nodes of the session's tree; `output`: as in
// profile_of(). On an attached thread.
std::vector<std::vector<std::string>> names_of_stacks(session::SessionState* session, JNIEnv* env,
                                                      const std::vector<uint32_t>& stacks,
                                                      const options::Options& output);

}  // namespace hearth::naming
