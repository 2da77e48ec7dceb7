// What the agent says and writes to whoever gave a command. Thread safe; outside signals.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "profile/formats.h"
#include "session/options.h"
#include "session/profile_session.h"

namespace hearth::session {

// Writes to the launcher's file, which exists, is ours and is no link: a word on a line ("ok" before what was to be
// made, "said" before a message, "error"), then the text. Throws Error.
void reply_to(const std::string& path, std::string_view word, const std::string& text);

// What is to be written: the formats that were given, or told by the file's name.
std::vector<profile::Format> formats_of(const Options& options);
bool has_output(const Options& options);

std::string start_text(const ProfileSession& session);
std::string event_list();

}  // namespace hearth::session
