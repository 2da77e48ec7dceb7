// What the parser says of options' text.
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"
#include "options/options.h"

namespace hearth::options {

// "accepted": it refuses nothing.
inline std::string refusal_of(std::string_view text) {
  try {
    parse_options(text);
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace hearth::options
