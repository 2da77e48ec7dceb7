// Addresses at which a browser opens a profile without the token, which it cannot send with a page. Clients that have
// the token make them; each is hard to guess, lives for minutes and serves one path and query. Thread safe.
#pragma once

#include <chrono>
#include <map>
#include <mutex>
#include <string>

namespace hearth::http {

class ViewLinks {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::minutes kLife{5};

  // Returns a word that redeems `target` until kLife after `now`.
  std::string make(const std::string& target, Clock::time_point now);
  // Throws Refusal 404.
  std::string target_of(const std::string& word, Clock::time_point now);

 private:
  static constexpr size_t kMost = 1024;  // the oldest goes when there are more
  struct Link {
    std::string word;
    std::string target;
  };

  std::mutex mutex_;
  std::multimap<Clock::time_point, Link> links_;  // by the end of their life
};

}  // namespace hearth::http
