// Names of one thing in two runs: what a JVM numbers as it goes, it numbers otherwise the next time.
#pragma once

#include <string>
#include <string_view>

#include "profile/model/profile.h"

namespace hearth::profile {

// Without the numbers of hidden classes, lambdas, proxies and accessors (Foo$$Lambda$14/0x0008…, $Proxy12), those that
// Clojure's compiler counts (fn--123, eval12), and the id of a thread.
std::string comparable_name(std::string_view name, FrameKind kind);

}  // namespace hearth::profile
