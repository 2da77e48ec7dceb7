// Changes the style of Java names in a stored profile.
#pragma once

#include <string>

#include "profile/model/profile.h"

namespace hearth::profile {

struct NameStyle {
  bool simple = false;  // String.indexOf for java/lang/String.indexOf
  bool dots = false;    // java.lang.String.indexOf
  bool any() const { return simple || dots; }
};

// The same profile with other names. Clojure's names, recognised by their shape, keep the slash after their namespace.
Profile with_name_style(const Profile& profile, const NameStyle& style);

}  // namespace hearth::profile
