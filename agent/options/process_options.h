// Commands of a client over JMX. A process decides itself on options that name files, open ports, send profiles
// elsewhere or change the log: the table of options lists the options that a client may give.
#pragma once

#include <string_view>

namespace hearth::options {

// Throws Error where a client's command has an option that clients may not give.
void check_for_client(std::string_view command);

}  // namespace hearth::options
