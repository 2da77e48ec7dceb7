#include "options/flight_triggers.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "base/error.h"
#include "base/formatted.h"
#include "options/option_values.h"
#include "profile/formats/amount_text.h"

namespace hearth::options {
namespace {

using Kind = FlightTrigger::Kind;

constexpr int64_t kSecond = 1'000'000'000;
constexpr OptionLabel kOption = {"on", kFlightTriggers};

struct Word {
  std::string_view name;
  Kind kind;
  bool has_limit;
};
constexpr std::array kWords = {Word{"cpu", Kind::kCpu, true},          Word{"alloc", Kind::kAllocation, true},
                               Word{"gc", Kind::kCollection, true},    Word{"latency", Kind::kLatency, true},
                               Word{"oom", Kind::kOutOfMemory, false}, Word{"deadlock", Kind::kDeadlock, false},
                               Word{"signal", Kind::kSignal, false}};

double share_of(std::string_view text, std::string_view whole) {
  if (text.empty() || text.back() != '%') refuse(kOption, whole);
  return static_cast<double>(parse_whole(text.substr(0, text.size() - 1), 1, 100, kOption)) / 100;
}

double bytes_a_second(std::string_view text, std::string_view whole) {
  constexpr std::string_view kRate = "/s";
  if (text.size() <= kRate.size() || text.substr(text.size() - kRate.size()) != kRate) refuse(kOption, whole);
  return static_cast<double>(parse_bytes(text.substr(0, text.size() - kRate.size()), kOption));
}

FlightTrigger trigger_of(std::string_view text) {
  size_t above = text.find('>');
  std::string_view name = text.substr(0, above);
  std::string label;
  if (size_t colon = name.find(':'); colon != std::string_view::npos) {
    label = name.substr(colon + 1);
    name = name.substr(0, colon);
  }
  const auto* word = std::find_if(kWords.begin(), kWords.end(), [&](const Word& one) { return one.name == name; });
  bool has_limit = above != std::string_view::npos;
  if (word == kWords.end() || word->has_limit != has_limit) refuse(kOption, text);
  if ((word->kind == Kind::kLatency) == label.empty()) refuse(kOption, text);
  FlightTrigger trigger = {word->kind, 0, label, std::string(text)};
  if (!has_limit) return trigger;
  std::string_view limit = text.substr(above + 1);
  if (word->kind == Kind::kAllocation)
    trigger.limit = bytes_a_second(limit, text);
  else if (word->kind == Kind::kLatency)
    trigger.limit = static_cast<double>(parse_duration_ns(limit, kSecond, kOption));
  else
    trigger.limit = share_of(limit, text);
  return trigger;
}

double share(int64_t part, int64_t whole) {
  return whole <= 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

std::vector<FlightTrigger> parse_flight_triggers(std::string_view text) {
  std::vector<FlightTrigger> triggers;
  for (;;) {
    size_t end = text.find('|');
    triggers.push_back(trigger_of(text.substr(0, end)));
    if (end == std::string_view::npos) return triggers;
    text.remove_prefix(end + 1);
  }
}

bool FlightTriggers::has(Kind kind) const {
  return std::any_of(triggers_.begin(), triggers_.end(), [&](const FlightTrigger& one) { return one.kind == kind; });
}

std::string FlightTriggers::why(const FlightTrigger& trigger, const FlightReadings& now) const {
  const FlightReadings& since = rates_since_.front();
  int64_t time_ns = now.time_ns - since.time_ns;
  bool is_rate = trigger.kind == Kind::kCpu || trigger.kind == Kind::kAllocation || trigger.kind == Kind::kCollection;
  if (is_rate && time_ns < kOverNs) return "";
  switch (trigger.kind) {
    case Kind::kCpu: {
      double used = share(now.cpu_ns - since.cpu_ns, time_ns * now.cpus);
      return used > trigger.limit ? formatted("{:.0f} % of {} CPUs", 100 * used, now.cpus) : "";
    }
    case Kind::kAllocation: {
      double rate = share(now.allocated_bytes - since.allocated_bytes, time_ns) * static_cast<double>(kSecond);
      return rate > trigger.limit ? profile::amount_text(static_cast<int64_t>(rate), "bytes") + "/s" : "";
    }
    case Kind::kCollection: {
      double paused = share(now.gc_pause_ns - since.gc_pause_ns, time_ns);
      return paused > trigger.limit ? formatted("paused {:.0f} % of the time", 100 * paused) : "";
    }
    case Kind::kLatency: {
      auto found = now.slowest.find(trigger.label);
      bool is_slow = found != now.slowest.end() && static_cast<double>(found->second.took_ns) > trigger.limit;
      return is_slow ? formatted("{} took {}", found->second.value, profile::duration_text(found->second.took_ns)) : "";
    }
    case Kind::kOutOfMemory:
      return now.out_of_memory > before_->out_of_memory ? "the JVM ran out of memory" : "";
    case Kind::kDeadlock:
      return now.deadlocked_threads > before_->deadlocked_threads ? formatted("{} threads", now.deadlocked_threads)
                                                                  : "";
    case Kind::kSignal:
      return now.signals > before_->signals ? "SIGUSR1" : "";
  }
  return "";
}

std::optional<std::string> FlightTriggers::reason(const FlightReadings& now) {
  if (!before_) {
    before_ = now;
    before_->deadlocked_threads = 0;
  }
  rates_since_.push_back(now);
  std::optional<std::string> given;
  for (const FlightTrigger& trigger : triggers_) {
    std::string cause = why(trigger, now);
    if (cause.empty()) continue;
    auto last = given_ns_.find(trigger.text);
    bool is_quiet = last != given_ns_.end() && now.time_ns - last->second < kQuietNs;
    // No limit on those that the user asks for.
    if (is_quiet && trigger.kind != Kind::kSignal) {
      held_back_++;
      continue;
    }
    if (given) continue;
    given_ns_[trigger.text] = now.time_ns;
    given = formatted("{}: {}", trigger.text, cause);
  }
  before_ = now;
  while (rates_since_.size() > 1 && now.time_ns - rates_since_[1].time_ns >= kOverNs)
    rates_since_.erase(rates_since_.begin());
  return given;
}

}  // namespace hearth::options
