// A TCP connection with a deadline of the steady clock for every wait. Another thread can interrupt it.
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
  enum class Result { kDone, kTimedOut, kFailed };  // kFailed: also if the other side or interrupt() ended it

  // Tries each address of the host for `each`. The look-up of a name has no deadline: getaddrinfo(3) offers none.
  Result connect(const std::string& host, int port, Clock::duration each, Clock::time_point deadline);
  // Sends at least one piece; `sent` is its size.
  Result send(std::string_view bytes, Clock::time_point deadline, size_t* sent);
  // kDone with `received` 0 is the end of the stream.
  Result receive(char* buffer, size_t size, Clock::time_point deadline, size_t* received);
  void close();

  // Thread safe. Each wait, and every later call, fails at once.
  void interrupt();
  bool is_interrupted() const;

 private:
  Result connect_to(const addrinfo& address, Clock::time_point deadline);
  Result wait_for(short events, Clock::time_point deadline) const;

  mutable std::mutex mutex_;
  UniqueFd socket_;  // changed under the mutex, by the thread that uses the stream
  bool interrupted_ = false;
};

}  // namespace hearth::push
