// One request after the other to a server, each on a connection of its own. Another thread can end the one that waits.
#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>

#include "base/owned.h"
#include "push/push_target.h"
#include "push/window_parts.h"

namespace hearth::push {

struct Patience {
  std::chrono::milliseconds connect = std::chrono::seconds(5);
  std::chrono::milliseconds reply = std::chrono::seconds(30);   // or for the server to take, or give, more
  std::chrono::milliseconds whole = std::chrono::seconds(120);  // after which no more of a reply is read
};

// Throws Error where the target's token is in a file that has none.
void check_token(const PushTarget& target);

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
  Reply post(const PushTarget& target, const PushPart& part);

  // The request that waits, and all later ones, end without a reply. A name that is being looked up is waited for.
  void interrupt();

 private:
  void follow(int socket);

  const Patience patience_;
  std::mutex mutex_;
  UniqueFd
      socket_;  // that of the request, as a descriptor of ours: its own may be closed, and be another file's, by now
  bool interrupted_ = false;
};

}  // namespace hearth::push
