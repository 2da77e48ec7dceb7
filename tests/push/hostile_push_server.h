// A server that replies to each connection with the bytes of a test, in pieces, and reads the request meanwhile.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <string_view>
#include <thread>

#include "base/owned.h"

namespace hearth::push {

class HostilePushServer {
 public:
  // Sends a piece; false once the client has gone.
  using Send = std::function<bool(std::string_view piece)>;
  explicit HostilePushServer(std::function<void(const Send&)> reply);
  // Ends the connection.
  ~HostilePushServer();

  std::string url() const { return "http://127.0.0.1:" + std::to_string(port_); }
  size_t sent() const { return sent_; }

 private:
  void serve(const std::function<void(const Send&)>& reply);
  bool send(int connection, std::string_view piece);

  UniqueFd listener_;
  int port_ = 0;
  std::atomic<bool> ends_{false};
  std::atomic<size_t> sent_{0};
  std::thread thread_;
};

}  // namespace hearth::push
