// Where hearth keeps what outlives a session: HEARTH_HOME, else ~/.hearth, else /tmp/hearth-UID. For this user only.
#pragma once

#include <string>

namespace hearth::http {

// The folder, made when it was not there (mode 0700). Throws Error when there is none that only this user can write to.
std::string state_folder();

// A folder in it, likewise.
std::string private_folder(const std::string& path);

}  // namespace hearth::http
