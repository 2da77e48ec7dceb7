// Replies in JSON.
#pragma once

#include <nlohmann/json.hpp>

#include "http/server/message.h"

namespace hearth::http {

// Replaces bytes that are not UTF-8, as names of files may have them.
inline Reply json_reply(const nlohmann::json& content, int status = 200) {
  return {status, "application/json", content.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n"};
}

}  // namespace hearth::http
