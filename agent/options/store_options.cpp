#include "options/store_options.h"

#include <charconv>
#include <cmath>

#include "base/error.h"
#include "base/formatted.h"
#include "options/event_options.h"
#include "options/option_values.h"
#include "options/push_target.h"

namespace hearth::options {
namespace {

[[noreturn]] void refuse_beside_store(const char* option, const char* why) {
  throw Error(formatted("option {}: {}", option, why), "leave it out, or start a separate session");
}

void refuse_what_is_a_sessions(const Options& options) {
  if (options.has_output_option && !options.file.empty())
    refuse_beside_store("file", "a store's windows are files of their own");
  if (!options.formats.empty()) refuse_beside_store("store", "its windows are pprof, and an output format was given");
  if (options.timeout_ns > 0) refuse_beside_store("timeout", "a store has no end");
  if (options.live) refuse_beside_store("live", "it needs a collection at the end, and a store makes none");
  if (options.exact) refuse_beside_store("exact", "a store samples");
  if (!options.filter.accepts_all()) refuse_beside_store("filter", "a store is of all threads");
  if (options.ttsp || !options.begin.empty() || !options.end.empty())
    refuse_beside_store("begin", "a store is of all the time");
}

void refuse_blind_triggers(const Options& options) {
  if (names_event(options, Event::kAlloc)) return;
  for (const FlightTrigger& trigger : options.triggers) {
    bool is_blind =
        trigger.kind == FlightTrigger::Kind::kAllocation || trigger.kind == FlightTrigger::Kind::kCollection;
    if (is_blind)
      throw Error(formatted("option on: {} is not known where the store has no allocations", trigger.text),
                  "add alloc to its events");
  }
}

void refuse_push_alone(const Options& options) {
  bool starts_store = options.is_about_store && options.action == Action::kStart;
  if (!options.push.empty() && !starts_store)
    throw Error("option push: there is no store to push", "give it with start,store=DIR");
  bool says_more = !options.push_labels.empty() || !options.push_token.empty() || !options.push_credentials.empty() ||
                   !options.push_tenant.empty() || !options.push_ca.empty();
  if (options.push.empty() && says_more)
    throw Error("option push-labels, push-token, push-credentials, push-ca, push-tenant: nothing is pushed",
                "give push=http://HOST:PORT with them");
  if (!options.push_token.empty() && !options.push_credentials.empty())
    throw Error("option push-token: push-credentials was given, too", "give one or the other");
  if (!options.push_ca.empty() && !parse_push_url(options.push).is_tls)
    throw Error("option push-ca: the URL of push is not https://", "give push=https://HOST, or leave push-ca out");
  const char* secret = options.push_token.empty() ? "push-credentials" : "push-token";
  bool is_in_file = !options.push_token.empty() || !options.push_credentials.empty();
  if (is_in_file && !parse_push_url(options.push).user.empty())
    throw Error(formatted("option {}: the URL of push has a user, too", secret), "give one or the other");
}

}  // namespace

void set_store(Options* options, std::string_view value, const OptionRow&) {
  options->is_about_store = true;
  options->store = value;
}

void set_window(Options* options, std::string_view value, const OptionRow& option) {
  constexpr int64_t kSecond = 1'000'000'000;
  options->window_ns = parse_duration_ns(value, kSecond, option);
  options->has_window_option = true;
  if (options->window_ns < kSecond / 10 || options->window_ns > 3600 * kSecond) refuse(option, value);
}

void set_budget(Options* options, std::string_view value, const OptionRow& option) {
  std::string_view number = value;
  if (!number.empty() && number.back() == '%') number.remove_suffix(1);
  double percent = 0;
  auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), percent);
  bool is_one = error == std::errc() && end == number.data() + number.size() && std::isfinite(percent);
  if (!is_one || percent < 0.01 || percent > 100) refuse(option, value);
  options->budget = percent / 100;
  options->has_window_option = true;
}

void set_on(Options* options, std::string_view value, const OptionRow&) {
  options->triggers = parse_flight_triggers(value);
  options->has_window_option = true;
}

void set_freeze(Options* options, std::string_view value, const OptionRow& option) {
  constexpr int64_t kMinute = 60'000'000'000;
  options->freeze_ns = parse_duration_ns(value, kMinute, option);
  options->has_window_option = true;
  if (options->freeze_ns < kMinute / 60 || options->freeze_ns > kMinute * 60 * 24) refuse(option, value);
}

// Checked here, before anything begins; its parts are read again where it is used.
void set_push(Options* options, std::string_view value, const OptionRow&) {
  parse_push_url(value);
  options->push = value;
}

void set_push_labels(Options* options, std::string_view value, const OptionRow&) {
  parse_push_labels(value);
  options->push_labels = value;
}

void set_push_tenant(Options* options, std::string_view value, const OptionRow&) {
  check_push_tenant(value);
  options->push_tenant = value;
}

void resolve_store(Options* options) {
  bool starts = options->action == Action::kStart, asks = options->action == Action::kDump;
  if (options->has_window_option && !(options->is_about_store && starts))
    throw Error("option window, budget, on, freeze: they are of a store that is started",
                "give start and store=DIR with them");
  bool says_range = !options->from.empty() || !options->to.empty();
  if (says_range && !(options->is_about_store && asks))
    throw Error("option from, to: they choose a time range of a store", "give dump and store with them");
  refuse_push_alone(*options);
  if (!options->is_about_store) return;
  if (!starts && !asks && options->action != Action::kStop)
    throw Error("option store: an action was given that does not go with it", "give it with start, stop or dump");
  if (starts && options->store.empty())
    throw Error("option store: needs a directory", "write store=DIR; %p is the process id");
  if (!starts) return;
  refuse_what_is_a_sessions(*options);
  options->always_on = true;
  if (names_events(*options)) return refuse_blind_triggers(*options);
  if (!options->raw.interval.empty())
    throw Error("option interval: a store samples several events", "give event=cpu with it, or wall= and alloc=");
  choose_events_of_store(options);
}

}  // namespace hearth::options
