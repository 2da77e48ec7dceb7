// The method of the program that a stack is in, behind those of the JDK that locks, waits and calls of the system are
// made of.
#pragma once

#include <string_view>

#include "profile/model/profile.h"

namespace hearth::profile {

class ProgramMethod {
 public:
  // The next frame, from the innermost one outwards. True: later ones do not matter.
  bool add(std::string_view name, FrameKind kind);
  // The innermost method of the program, else of the JDK, else the innermost frame; "" without frames.
  std::string_view name() const { return name_; }

 private:
  std::string_view name_;
  bool is_java_ = false;
  bool has_frame_ = false;
};

}  // namespace hearth::profile
