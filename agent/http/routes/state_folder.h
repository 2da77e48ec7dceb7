// The folder of files that outlive a session: HEARTH_HOME, else ~/.hearth, else /tmp/hearth-UID. For this user only.
#pragma once

#include <string>

namespace hearth::http {

// Returns the folder, and makes it if it does not exist (mode 0700). Throws Error where others could write to it.
std::string state_folder();

// The same for a folder in it.
std::string private_folder(const std::string& path);

}  // namespace hearth::http
