// HotSpot's dynamic attach: wake the JVM's attach listener, say one command on its socket, read the answer.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "launcher/attach/jvm.h"

namespace hearth::launcher {

// HotSpot reads no longer argument than this.
inline constexpr size_t kLongestArgument = 1024;

// What the JVM answered to a `load` command.
struct LoadReply {
  std::optional<int> return_code;  // of the library's Agent_OnAttach; nothing when the library was not loaded
  std::string text;                // then, the JVM's reason
};
LoadReply parse_load_reply(std::string_view reply);

// Loads the library at `path`, as the JVM sees it, and hands it `options`: version 1 of the protocol, which every
// HotSpot speaks. Acts as the JVM's own user; sends SIGQUIT only to a JVM that catches it and has not switched attach
// off, since any other would die of it or print a thread dump. Throws Error when no connection can be made, and when
// the answer takes longer than `patience` or is longer than one of a JVM.
LoadReply load_library(const Jvm& jvm, const std::string& path, const std::string& options,
                       std::chrono::milliseconds patience);

}  // namespace hearth::launcher
