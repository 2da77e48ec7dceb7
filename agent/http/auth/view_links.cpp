#include "http/auth/view_links.h"

#include "http/auth/secrets.h"
#include "http/server/message.h"

namespace hearth::http {

std::string ViewLinks::make(const std::string& target, Clock::time_point now) {
  std::string word = random_secret();
  std::lock_guard<std::mutex> lock(mutex_);
  if (links_.size() == kMost) links_.erase(links_.begin());
  links_.emplace(now + kLife, Link{word, target});
  return word;
}

std::string ViewLinks::target_of(const std::string& word, Clock::time_point now) {
  std::lock_guard<std::mutex> lock(mutex_);
  links_.erase(links_.begin(), links_.upper_bound(now));
  for (const auto& [end, link] : links_) {
    if (is_same_secret(link.word, word)) return link.target;
  }
  throw Refusal(404, "not_found", "this address is older than 5 minutes, or never was", "open the profile again");
}

}  // namespace hearth::http
