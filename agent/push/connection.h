// Sends requests to a server, one after the other, each on its own connection. Another thread can interrupt a waiting
// request.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "options/push_target.h"
#include "push/tcp_stream.h"
#include "push/tls_stream.h"
#include "push/window_parts.h"

namespace hearth::push {

class ReplyReader;

struct Patience {
  std::chrono::milliseconds connect = std::chrono::seconds(5);
  std::chrono::milliseconds reply =
      std::chrono::seconds(30);  // also for TLS's handshake, and for each wait for the server to accept or send more
  std::chrono::milliseconds whole = std::chrono::seconds(120);  // for the whole exchange after connecting
};

// Throws Error if the target's file of a token, or of user and password, contains none.
void check_token(const options::PushTarget& target);
// Throws Error if the target needs TLS and the system has none, or its file of authorities cannot be used.
void check_tls(const options::PushTarget& target);

class Connection {
 public:
  explicit Connection(Patience patience) : patience_(patience) {}

  struct Reply {
    int status = 0;              // 0: no reply
    std::string text;            // the server's message, or the reason for no reply; never a secret
    int64_t rejected = 0;        // profiles that it rejected from an accepted request
    int64_t retry_after_ns = 0;  // from now; 0: not given
  };
  // Throws Error if the token cannot be read.
  Reply post(const options::PushTarget& target, const PushPart& part);

  // Ends the waiting request, and all later ones, without a reply. A name look-up in progress is still waited for.
  void interrupt();

 private:
  class Deadlines;

  std::string secure(const options::PushTarget& target, const Deadlines& deadlines);
  std::string exchange(const options::PushTarget& target, const std::string& head, const std::string& body,
                       ReplyReader* reader);
  bool send(std::string_view bytes, const Deadlines& deadlines);
  TcpStream::Result receive(const Deadlines& deadlines, ReplyReader* reader);
  TcpStream::Result receive_what_came(ReplyReader* reader);

  const Patience patience_;
  TcpStream stream_;
  std::optional<TlsContext> authorities_;  // read at the first use, and again after a failed handshake
  std::unique_ptr<TlsStream> tls_;         // over stream_; null: without TLS
};

}  // namespace hearth::push
