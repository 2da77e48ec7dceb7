// Error in the command line: exit status 2.
#pragma once

#include <stdexcept>

namespace hearth::launcher {

class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace hearth::launcher
