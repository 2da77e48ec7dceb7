// HotSpot's dynamic attach: wakes the JVM's attach listener, sends one command on its socket and reads the reply.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "launcher/attach/jvm.h"

namespace hearth::launcher {

// HotSpot reads no longer argument.
inline constexpr size_t kLongestArgument = 1024;

// The JVM's reply to a `load` command.
struct LoadReply {
  std::optional<int> return_code;  // of the library's Agent_OnAttach; nothing when the library was not loaded
  std::string text;                // the JVM's reason in that case
};
LoadReply parse_load_reply(std::string_view reply);

// Loads the library at `path`, as the JVM sees it, and passes it `options`: version 1 of the protocol, which every
// HotSpot supports. Acts as the JVM's own user. Sends SIGQUIT only to a JVM that catches it and has attach enabled,
// since any other would die or print a thread dump. Throws Error if no connection can be made, and if the reply takes
// longer than `patience` or is longer than a JVM's.
LoadReply load_library(const Jvm& jvm, const std::string& path, const std::string& options,
                       std::chrono::milliseconds patience);

// Its reply to another command of the same protocol, with at most three arguments. Throws Error in addition if the JVM
// refuses the command.
std::string attach_command(const Jvm& jvm, const std::vector<std::string>& words, std::chrono::milliseconds patience);

}  // namespace hearth::launcher
