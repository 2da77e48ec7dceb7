// Access control: the token, the origin of a request, and links that can be used once. Thread safe.
#pragma once

#include <chrono>
#include <map>
#include <mutex>
#include <set>
#include <string>

#include "http/server/message.h"

namespace hearth::http {

class Access {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::minutes kOnceLife{5};

  // `names`: accepted values of Host in addition to the loopback's names and the address that the client connected to.
  Access(std::string token, std::set<std::string, IgnoringCase> names)
      : token_(std::move(token)), names_(std::move(names)) {}

  // Throws Refusal 403 for a request that another site's page caused (foreign Origin, or a Host that another site
  // resolved to this address), and 400 without exactly one Host. Browsers cannot reach the Unix socket.
  void check_source(const Request& request) const;

  // Throws Refusal 401 without the token, which is a bearer token or the password of basic authentication; 403 for a
  // request of another site's page without Origin. Local users of the Unix socket need no token.
  void check_token(const Request& request) const;

  // A secret that redeem() accepts once, until kOnceLife after `now`.
  std::string make_once(Clock::time_point now);
  // The token. Throws Refusal 401.
  std::string redeem(const std::string& once, Clock::time_point now);

 private:
  static constexpr size_t kMostOnce = 64;  // with more, the oldest is dropped

  bool is_own_name(const std::string& host, const Peer& peer) const;
  void forget_old(Clock::time_point now);

  const std::string token_;
  const std::set<std::string, IgnoringCase> names_;
  std::mutex mutex_;
  std::multimap<Clock::time_point, std::string> once_;  // by the end of their life
};

}  // namespace hearth::http
