// One request after the other to a server, each on a connection of its own. Another thread can end the one that waits.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "options/push_target.h"
#include "push/tcp_stream.h"
#include "push/window_parts.h"

namespace hearth::push {

class ReplyReader;

struct Patience {
  std::chrono::milliseconds connect = std::chrono::seconds(5);
  std::chrono::milliseconds reply = std::chrono::seconds(30);   // or for the server to take, or give, more
  std::chrono::milliseconds whole = std::chrono::seconds(120);  // for the whole exchange, from the connection on
};

// Throws Error where the target's token, or user and password, are in a file that has none.
void check_token(const options::PushTarget& target);

class Connection {
 public:
  explicit Connection(Patience patience) : patience_(patience) {}

  struct Reply {
    int status = 0;              // 0: there was none
    std::string text;            // what the server says of it, or why there was none; never a secret
    int64_t rejected = 0;        // of what it took, profiles that it did not
    int64_t retry_after_ns = 0;  // from now; 0: it says none
  };
  // Throws Error where the token cannot be read.
  Reply post(const options::PushTarget& target, const PushPart& part);

  // The request that waits, and all later ones, end without a reply. A name that is being looked up is waited for.
  void interrupt();

 private:
  class Deadlines;

  std::string exchange(const options::PushTarget& target, const std::string& head, const std::string& body,
                       ReplyReader* reader);
  bool send(std::string_view bytes, const Deadlines& deadlines);
  TcpStream::Result receive(const Deadlines& deadlines, ReplyReader* reader);
  TcpStream::Result receive_what_came(ReplyReader* reader);

  const Patience patience_;
  TcpStream stream_;
};

}  // namespace hearth::push
