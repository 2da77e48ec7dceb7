// HTTP/1.x request syntax: finds where a request ends in a stream of bytes and parses its head. The only parser of the
// server. Pure text work. Refuses bytes that two parsers could read in two ways.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "http/server/message.h"

namespace hearth::http {

inline constexpr size_t kMostHead = 16 << 10;  // request line and headers, bytes
inline constexpr size_t kMostLine = 8 << 10;   // of each of them
inline constexpr size_t kMostHeaders = 64;
inline constexpr size_t kMostBody = 64 << 10;

struct RequestHead {
  enum class State {
    kPartial,  // the empty line that ends the head has not arrived
    kParsed,
    kRefused,
  };
  State state = State::kPartial;
  size_t size = 0;                // bytes, with the empty line
  size_t body_size = 0;           // bytes that follow the head
  bool expects_continue = false;  // the client sends the body after "100 Continue"
  bool keeps_connection = false;  // the client may send another request on the connection
  // Not decoded: a long query takes time and memory, and one thread parses the heads of all clients.
  std::string target{};
  Request request{};         // all but the target, the body, the peer and the route's parts
  int status = 0;            // kRefused: of the reply, after which the connection has to end
  const char* problem = "";  // kRefused: the message of the reply

  size_t message_size() const { return size + body_size; }
};

// Parses the head of the request that begins with `bytes`.
RequestHead parse_head(std::string_view bytes);

}  // namespace hearth::http
