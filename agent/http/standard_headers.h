// What every reply says to browsers: believe the type, keep nothing, run nothing, show it in nobody's frame.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "http/message.h"

namespace hearth::http {

// A reply that brings a Content-Security-Policy of its own, or another of these, keeps it.
std::vector<std::pair<std::string, std::string>> standard_headers(const Reply& reply);

}  // namespace hearth::http
