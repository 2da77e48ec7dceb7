// Java names of a profile that was written before, spelled anew.
#pragma once

#include <string>

#include "profile/model/profile.h"

namespace hearth::profile {

struct Respelling {
  bool simple = false;  // String.indexOf for java/lang/String.indexOf
  bool dots = false;    // java.lang.String.indexOf
  bool any() const { return simple || dots; }
};

// The same profile with other names. Clojure's names, which are told from Java's by their shape, keep their namespace's
// slash.
Profile respelled(const Profile& profile, const Respelling& style);

}  // namespace hearth::profile
