// Header fields of every reply: no type sniffing, no cache, no scripts, no frames.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "http/server/message.h"

namespace hearth::http {

// Fields of the reply itself replace these.
std::vector<std::pair<std::string, std::string>> standard_headers(const Reply& reply);

}  // namespace hearth::http
