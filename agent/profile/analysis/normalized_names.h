// Makes names comparable between runs: a JVM numbers generated classes in the order of their creation, which differs.
#pragma once

#include <string>
#include <string_view>

#include "profile/model/profile.h"

namespace hearth::profile {

// The name without the numbers of hidden classes, lambdas, proxies and accessors (Foo$$Lambda$14/0x0008…, $Proxy12),
// those of Clojure's compiler (fn--123, eval12), and thread ids.
std::string normalized_name(std::string_view name, FrameKind kind);

}  // namespace hearth::profile
