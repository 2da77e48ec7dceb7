#include "always_on/wanted_events.h"

#include <algorithm>
#include <utility>

#include "capture/recorder.h"
#include "options/sampled_events.h"

namespace hearth::always_on {
namespace {

constexpr uint64_t kSecond = 1'000'000'000;
constexpr uint64_t kYoungestNs = 60 * kSecond;  // a start has its cost, too
constexpr uint64_t kOldestNs = 3600 * kSecond;
constexpr int64_t kMostBytes = 24 << 20;

bool contains(const std::vector<std::string>& events, const std::string& event) {
  return std::find(events.begin(), events.end(), event) != events.end();
}

}  // namespace

Share share_of(const options::Options& wanted, const options::Options& all, const options::Options& there) {
  Share share;
  bool lends = options::samples_all(there);
  if (lends) share.lent = options::common_events(wanted, there);
  // A session that names files and peers has nothing for a store that must not.
  bool has_names = wanted.redact && !there.redact;
  const char* io = options::row_of(options::Event::kIo).name;
  if (has_names) share.lent.erase(std::remove(share.lent.begin(), share.lent.end(), io), share.lent.end());
  if (options::samples_windows_only(there))
    share.rest = options::without_events_of(wanted, all);
  else if (lends)
    share.rest = options::without_events_of(wanted, there);
  else
    share.rest = options::without_contended_events(wanted, there);
  share.keeps_some = options::event_names(wanted).size() > options::event_names(share.rest).size() + share.lent.size();
  return share;
}

std::vector<std::string> lent_after_resume(const options::Options& all, const options::Options& resumed,
                                           const std::vector<std::string>& lent,
                                           const std::vector<std::string>& lent_by_others) {
  std::vector<std::string> gained = options::common_events(all, resumed), events;
  for (std::string& event : options::event_names(all))
    if (contains(lent, event) || (contains(gained, event) && !contains(lent_by_others, event)))
      events.push_back(std::move(event));
  return events;
}

bool is_in_the_way(const options::Options& own, const options::Options& starting) {
  if (options::samples_windows_only(starting)) return true;
  options::Options left = options::samples_all(starting) ? options::without_events_of(own, starting)
                                                         : options::without_contended_events(own, starting);
  return options::event_names(left) != options::event_names(own);
}

bool is_too_young_to_replace(uint64_t age_ns) {
  return age_ns < kYoungestNs;
}

bool has_grown(const OwnSessionSize& size, bool is_window_over) {
  constexpr uint32_t kMostSpans = capture::SpanTable::kMost;
  if (is_too_young_to_replace(size.age_ns)) return false;
  return size.age_ns >= kOldestNs || size.bytes > kMostBytes ||
         size.spans >= (is_window_over ? kMostSpans / 2 : kMostSpans);
}

}  // namespace hearth::always_on
