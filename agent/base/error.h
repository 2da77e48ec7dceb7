// An error that a person can act on: what happened, and what to do. Thrown outside signals only.
#pragma once

#include <stdexcept>
#include <string>

namespace hearth {

class Error : public std::runtime_error {
 public:
  // `what` names the operation and its object ("cannot write /x/y.html: No space left on device");
  // `remedy` is a sentence a user can follow, or empty. what() joins both with "; ".
  explicit Error(const std::string& what, const std::string& remedy = "")
      : std::runtime_error(remedy.empty() ? what : what + "; " + remedy) {}
};

}  // namespace hearth
