// The looks that `hearth leaks` compares. All throw Error.
#pragma once

#include <string>
#include <vector>

#include "launcher/commands/leaks_command.h"

namespace hearth::launcher {

// Adds one to all kinds.
void add_look(profile::Profile look, Leaks* leaks);

// Takes them in a session of its own, until the time is over, an interrupt comes or the JVM ends.
void look_at_jvm(const LeaksRequest& request, Leaks* leaks);

// Each dump is a look. They are to be of one session; uneven distances between them make the bounds wider.
void look_at_dumps(const std::vector<std::string>& files, Leaks* leaks);

}  // namespace hearth::launcher
