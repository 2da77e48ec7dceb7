// Who may do what: the token, where a request comes from, and links that are good once. Thread safe.
#pragma once

#include <chrono>
#include <map>
#include <mutex>
#include <set>
#include <string>

#include "http/message.h"

namespace hearth::http {

class Access {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::minutes kOnceLife{5};

  // `names`: what a request's Host may say beside the loopback's names and the address that it reached.
  Access(std::string token, std::set<std::string, IgnoringCase> names)
      : token_(std::move(token)), names_(std::move(names)) {}

  // Throws Refusal 403 for what a browser sends when another site's page, or a name that another site made point here,
  // is behind it; 400 where the request names no one host. The Unix socket is out of a browser's reach.
  void check_source(const Request& request) const;

  // Throws Refusal 401 without the token, which is a bearer token or the password of basic authentication; 403 for a
  // page of another origin that goes without saying so. Who may open the Unix socket needs no token.
  void check_token(const Request& request) const;

  // A word that redeem() takes once, until kOnceLife after `now`.
  std::string make_once(Clock::time_point now);
  // The token. Throws Refusal 401.
  std::string redeem(const std::string& once, Clock::time_point now);

 private:
  static constexpr size_t kMostOnce = 64;  // the oldest goes when there are more

  bool is_own_name(const std::string& host, const Peer& peer) const;
  void forget_old(Clock::time_point now);

  const std::string token_;
  const std::set<std::string, IgnoringCase> names_;
  std::mutex mutex_;
  std::multimap<Clock::time_point, std::string> once_;  // by the end of their life
};

}  // namespace hearth::http
