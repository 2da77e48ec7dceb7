// The target of a request line: "/path?key=value".
#pragma once

#include <string>
#include <string_view>

#include "http/server/message.h"

namespace hearth::http {

// Replaces %XX by the byte. A % without two hexadecimal digits stays as it is.
std::string percent_decoded(std::string_view text);

// Sets path and query. The first ? ends the path, and a # ends the target. In the query a + is a blank, a key without
// a value has "", a pair without a key is ignored, and a pair that appears again counts once.
void set_target(std::string_view target, Request* request);

}  // namespace hearth::http
