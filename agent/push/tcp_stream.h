// A TCP connection whose every wait ends at a time of the steady clock. Another thread can interrupt it.
#pragma once

#include <chrono>
#include <cstddef>
#include <mutex>
#include <string>
#include <string_view>

#include "base/owned.h"

struct addrinfo;

namespace hearth::push {

class TcpStream {
 public:
  using Clock = std::chrono::steady_clock;
  enum class Result { kDone, kTimedOut, kFailed };  // kFailed: also where the other side ended it, or interrupt() did

  // Tries each address of the host, for so long. The look-up of a name has no deadline: getaddrinfo(3) offers none.
  Result connect(const std::string& host, int port, Clock::duration each, Clock::time_point deadline);
  // Sends one piece at least; `sent` is its size.
  Result send(std::string_view bytes, Clock::time_point deadline, size_t* sent);
  // kDone with `received` 0 is the end of the stream.
  Result receive(char* buffer, size_t size, Clock::time_point deadline, size_t* received);
  void close();

  // Thread safe. Each wait, and all that would follow, fails at once.
  void interrupt();
  bool is_interrupted() const;

 private:
  Result connect_to(const addrinfo& address, Clock::time_point deadline);
  Result wait_for(short events, Clock::time_point deadline) const;

  mutable std::mutex mutex_;
  UniqueFd socket_;  // changes under the mutex, by the thread that uses the stream
  bool interrupted_ = false;
};

}  // namespace hearth::push
