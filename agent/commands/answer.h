// The result of a command.
#pragma once

#include <cstdint>
#include <string>

namespace hearth::commands {

struct Answer {
  std::string text;         // a message, or the product: a profile without a file of its own, or metrics
  bool is_product = false;  // the text is a product
  uint64_t session = 0;     // the number of the session that was started
  std::string secret{};     // more lines of a message, for the caller alone: a log must not have them
};

}  // namespace hearth::commands
