// From the counts of a session to a profile: names, columns, labels and quality.
#pragma once

#include <jni.h>

#include "options/options.h"
#include "profile/model/profile.h"
#include "session/session_snapshot.h"
#include "session/session_state.h"

namespace hearth::naming {

// The session's totals now, as the start of a later range.
session::SessionSnapshot take_snapshot(session::SessionState* session);

// Returns everything that was sampled in the range, named and counted. Live objects are complete in any range. `output`
// has the options of names and stacks. On an attached thread.
profile::Profile profile_of(session::SessionState* session, JNIEnv* env, const options::Options& output,
                            const session::ProfileRange& range = {});

}  // namespace hearth::naming
