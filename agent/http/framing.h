// Where a request ends in a stream of bytes, and what of it is refused before anybody parses it. Pure text work.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace hearth::http {

inline constexpr size_t kMostHead = 16 << 10;  // request line and headers, bytes
inline constexpr size_t kMostLine = 8 << 10;   // of each of them
inline constexpr size_t kMostHeaders = 64;
inline constexpr size_t kMostBody = 64 << 10;

struct Frame {
  enum class State { kPartial, kComplete, kRefused };
  State state = State::kPartial;
  size_t head = 0;                // bytes, with the empty line; once it is complete
  size_t body = 0;                // bytes that follow, which may still be on their way
  bool expects_continue = false;  // the client waits to be told that its body is wanted
  int status = 0;                 // kRefused: of the reply, after which the connection has to end
  const char* problem = "";       // the same in words
};

// Of the request that begins with `bytes`.
Frame frame_of(std::string_view bytes);

// A complete head as the HTTP library shall see it: without the fields that the framing has dealt with and those that
// the server does not offer, so that the library does nothing about them.
std::string head_to_parse(std::string_view head);

}  // namespace hearth::http
