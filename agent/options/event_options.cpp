#include "options/event_options.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <tuple>
#include <utility>

#include "base/error.h"
#include "base/formatted.h"
#include "options/event_table.h"
#include "options/option_values.h"
#include "options/sampled_events.h"
#include "profile/model/event_view.h"

namespace hearth::options {
namespace {

constexpr std::string_view kLive = profile::kLiveEvent, kNativeLive = profile::kNativeLiveEvent,
                           kIoBytes = row_of(Event::kIo).kind->also;

using Wanted = ByEvent<bool>;

[[noreturn]] void refuse_two(std::string_view event) {
  throw Error(formatted("two intervals of {} were given", event), formatted("give it by {}= or by interval=", event));
}

std::string* text_of_counter(Options::RawEvents* raw, std::string_view name) {
  auto found =
      std::find_if(raw->counters.begin(), raw->counters.end(), [name](const auto& one) { return one.first == name; });
  return found == raw->counters.end() ? nullptr : &found->second;
}

// The event that is named first; all CPU engines fill the same values.
std::string first_event(Options::RawEvents raw) {
  const std::string& text = raw.event;
  bool is_itself = text.empty() || event_row(text) != nullptr || text == kLive || text == kNativeLive ||
                   text == kIoBytes || text_of_counter(&raw, text) != nullptr;
  return is_itself ? text : row_of(Event::kCpu).name;
}

bool is_named(const Options::RawEvents& raw, const EventRow& row) {
  return raw.own[row.event].has_value() || first_event(raw) == row.name;
}

Wanted wanted_events(const Options& options) {
  Wanted wanted;
  for (const EventRow& row : event_rows()) wanted[row.event] = is_named(options.raw, row);
  if (!names_events(options)) wanted[Event::kCpu] = true;
  return wanted;
}

// The event that interval= applies to; null where it could be several.
const EventRow* main_event(const Options::RawEvents& raw, const Wanted& wanted) {
  if (!raw.event.empty()) return event_row(first_event(raw));
  const EventRow* only = nullptr;
  for (const EventRow& row : event_rows()) {
    if (!wanted[row.event]) continue;
    if (only != nullptr) return nullptr;
    only = &row;
  }
  return only;
}

// By an option of the event's own name, or by interval= where it is the main event.
int64_t chosen_interval(const EventRow& row, const Options::RawEvents& raw, bool is_main) {
  std::string text = raw.own[row.event].value_or("");
  bool by_interval = is_main && !raw.interval.empty();
  if (by_interval && !text.empty()) refuse_two(row.name);
  if (!by_interval && text.empty()) return row.usual;
  std::string accepts = by_interval ? formatted("for {}, {}", row.name, row.accepts) : std::string(row.accepts);
  return parse_interval(row, by_interval ? raw.interval : text, {by_interval ? "interval" : row.name, accepts});
}

// "wall=, alloc= or lock="
std::string own_options() {
  std::string text, last;
  for (const EventRow& row : event_rows()) {
    if (!row.has_option) continue;
    if (!last.empty()) text += (text.empty() ? "" : ", ") + last;
    last = formatted("{}=", row.name);
  }
  return formatted("{} or {}", text, last);
}

[[noreturn]] void refuse_as_event(std::string_view word) {
  throw Error(formatted("option event: {} is an option, not an event", word),
              formatted("give {0} alone, or with event=cpu (the launcher's --{0})", word));
}

constexpr std::pair<std::string_view, CpuEngine> kCpuEvents[] = {{"cpu", CpuEngine::kAutomatic},
                                                                 {"cpu-clock", CpuEngine::kPerfEvents},
                                                                 {"ctimer", CpuEngine::kThreadTimer},
                                                                 {"itimer", CpuEngine::kProcessTimer}};

// Null for a word that is no CPU event.
const CpuEngine* engine_of(std::string_view word) {
  for (const auto& [name, engine] : kCpuEvents)
    if (word == name) return &engine;
  return nullptr;
}

void add_event(Options* options, Event event, std::string_view interval) {
  std::optional<std::string>& own = options->raw.own[event];
  if (!own || !interval.empty()) own = interval;
}

// "cycles@1m" is the name and its interval, "" where none is given.
std::pair<std::string_view, std::string_view> name_and_interval(std::string_view word) {
  size_t at = word.rfind('@');
  if (at == std::string_view::npos) return {word, ""};
  return {word.substr(0, at), word.substr(at + 1)};
}

void add_counter(Options* options, std::string_view name, std::string_view interval) {
  std::string* text = text_of_counter(&options->raw, name);
  if (text == nullptr)
    options->raw.counters.emplace_back(name, interval);
  else if (text->empty())
    *text = interval;
  else if (!interval.empty() && *text != interval)
    refuse_two(name);
}

int64_t interval_of_counter(const std::string& name, const std::string& own, const std::string& main) {
  if (!own.empty() && !main.empty()) refuse_two(name);
  if (own.empty() && main.empty()) return usual_interval(name);
  int64_t least = least_interval(name);
  std::string accepts =
      formatted("for {}, a whole number from {}; k, m, g are thousands, millions, billions", name, least);
  const std::string& text = own.empty() ? main : own;
  std::optional<int64_t> interval = counter_interval(text);
  if (!interval || *interval < least) refuse({own.empty() ? "interval" : "event", accepts}, text);
  return *interval;
}

void resolve_counters(Options* options) {
  options->counters.clear();
  for (const auto& [name, text] : options->raw.counters)
    options->counters.push_back(
        {name, interval_of_counter(name, text, name == options->raw.event ? options->raw.interval : "")});
}

// The end of the first event of a list: commas between the slashes of a counter are its own.
size_t end_of_event(std::string_view list) {
  bool is_within = false;
  for (size_t i = 0; i < list.size(); ++i) {
    if (list[i] == '/') is_within = !is_within;
    if (list[i] == ',' && !is_within) return i;
  }
  return is_within ? list.find(',') : std::string_view::npos;
}

// The first event keeps its name; each further one acts like its own option.
void add_named_event(Options* options, std::string_view text, const OptionRow& option) {
  constexpr std::pair<std::string_view, void (*)(Options*, std::string_view, const OptionRow&)> kOfAllocations[] = {
      {kLive, set_live}, {"tlab", set_tlab}, {"exact", set_exact}};
  Options::RawEvents& raw = options->raw;
  std::string_view word, interval;
  std::tie(word, interval) = name_and_interval(text);
  bool has_empty_interval = word.size() != text.size() && interval.empty();
  if (has_empty_interval) refuse(option, text);
  if (names_method(word) && !is_counter_name(word)) {
    options->called.push_back({std::string(word), CallPattern(std::string(word)), std::nullopt});
    word = profile::kCallsEvent;
  }
  bool is_first = raw.event.empty() || raw.event == word;
  if (const CpuEngine* engine = engine_of(word)) {
    if (!raw.cpu.empty() && raw.cpu != word)
      throw Error(formatted("option {}: {} and {} were given", option.name, raw.cpu, word), "give one of them");
    raw.cpu = word;
    options->engine = *engine;
    add_event(options, Event::kCpu, interval);
    if (is_first) raw.event = word;
    return;
  }
  const auto* of_allocations = std::find_if(std::begin(kOfAllocations), std::end(kOfAllocations),
                                            [&](const auto& one) { return one.first == word; });
  if ((word == kNativeLive || word == kIoBytes) && is_first) {
    raw.event = word;
    return;
  }
  const EventRow* row = event_row(word);
  bool is_known = row != nullptr || of_allocations != std::end(kOfAllocations);
  if (!is_known && (is_counter_name(word) || (is_first && is_function_name(word)))) {
    add_counter(options, word, interval);
    if (is_first) raw.event = word;
    return;
  }
  if (!is_known || (row == nullptr && !interval.empty())) refuse(option, text);
  if (!is_first)
    return row != nullptr ? add_event(options, row->event, interval) : of_allocations->second(options, "", option);
  if (word == "tlab" || word == "exact") refuse_as_event(word);
  raw.event = word;
  if (row != nullptr && !interval.empty()) add_event(options, row->event, interval);
}

// Options that only perf_events can follow, given with another engine or without CPU time.
void refuse_without_perf(const Options& options) {
  if (!needs_perf_events(options)) return;
  const char* option = options.target_cpu ? "target-cpu" : "record-cpu";
  if (!samples(options, Event::kCpu))
    throw Error(formatted("option {}: it is for CPU time, which is not sampled", option), "add event=cpu");
  if (options.engine == CpuEngine::kThreadTimer || options.engine == CpuEngine::kProcessTimer)
    throw Error(formatted("option {}: only perf_events know the CPU", option), "use event=cpu");
}

// Options that need a clock, given with allocations or locks alone.
void refuse_idle(const Options& options) {
  if (has_clock(options)) return;
  constexpr const char* kRemedy = "leave it out or add event=cpu or wall";
  if (options.ttsp)
    throw Error("option ttsp: nothing is allocated, and no lock taken, on the way to a safepoint", kRemedy);
  if (options.pc_addresses || options.receivers || options.compilations)
    throw Error("option features: they describe interrupted code; allocations and locks interrupt none", kRemedy);
}

}  // namespace

bool is_event_word(std::string_view word) {
  auto [name, interval] = name_and_interval(word);
  const EventRow* row = event_row(name);
  bool has_option = row != nullptr && row->has_option && interval.empty();
  return !has_option && (row != nullptr || engine_of(name) != nullptr || is_counter_name(name));
}

bool is_cpu_word(std::string_view word) {
  return engine_of(word) != nullptr;
}

bool continues_events(const Options& options, std::string_view word) {
  return !options.raw.event.empty() && is_event_word(word);
}

bool names_event(const Options& options, Event event) {
  return is_named(options.raw, row_of(event));
}

bool names_events(const Options& options) {
  const auto& rows = event_rows();
  return !options.raw.event.empty() ||
         std::any_of(rows.begin(), rows.end(), [&](const EventRow& row) { return names_event(options, row.event); });
}

void choose_events_of_store(Options* options) {
  options->raw = {};
  options->raw.event = options->raw.cpu = row_of(Event::kCpu).name;
  for (const EventRow& row : event_rows())
    if (!row.in_store.empty()) add_event(options, row.event, row.in_store);
}

void set_event(Options* options, std::string_view value, const OptionRow& option) {
  for (;;) {
    size_t end = end_of_event(value);
    add_named_event(options, value.substr(0, end), option);
    if (end == std::string_view::npos) return;
    value.remove_prefix(end + 1);
  }
}

void set_main_interval(Options* options, std::string_view value, const OptionRow& option) {
  if (value.empty()) refuse(option, value);
  options->raw.interval = value;
}

void set_own_event(Options* options, std::string_view value, const OptionRow& option) {
  add_event(options, event_row(option.name)->event, value);
}

void set_exact(Options* options, std::string_view, const OptionRow&) {
  add_event(options, Event::kAlloc, "");
  options->exact = true;
}

void set_live(Options* options, std::string_view, const OptionRow&) {
  add_event(options, Event::kAlloc, "");
  options->live = true;
}

void set_nofree(Options* options, std::string_view, const OptionRow&) {
  add_event(options, Event::kNativeMemory, "");
  options->nofree = true;
}

void set_redact(Options* options, std::string_view, const OptionRow&) {
  add_event(options, Event::kIo, "");
  options->redact = true;
}

void set_messages(Options* options, std::string_view, const OptionRow&) {
  add_event(options, Event::kException, "");
  options->messages = true;
}

// "PATTERN" or "PATTERN:50ms".
void set_trace(Options* options, std::string_view value, const OptionRow& option) {
  size_t colon = value.rfind(':');
  std::string pattern(value.substr(0, colon));
  std::optional<int64_t> shortest;
  if (colon != std::string_view::npos) {
    shortest = parse_duration_ns(value.substr(colon + 1), 1, option);
    if (*shortest > row_of(Event::kTrace).most) refuse(option, value);
  }
  options->traced.push_back({pattern, CallPattern(pattern), shortest});
  add_event(options, Event::kTrace, "");
}

void set_tlab(Options* options, std::string_view, const OptionRow&) {
  add_event(options, Event::kAlloc, "");
  options->tlab = true;
}

// An event's own option without event= means that event alone, with event= one more. An interval= is that of event=.
void resolve_events(Options* options) {
  if (options->exact && options->tlab) throw Error("option exact: tlab does not record every object", "leave tlab out");
  if (options->live && options->tlab) throw Error("option live: tlab cannot follow objects", "leave tlab out");
  bool only_shows = options->action == Action::kStop || options->action == Action::kDump;
  if (options->raw.event == kLive && !only_shows) refuse_as_event(kLive);
  if (options->raw.event == kNativeLive && !only_shows)
    throw Error(formatted("option event: {} comes with {}", kNativeLive, profile::kNativeMemoryEvent),
                formatted("give event={}", profile::kNativeMemoryEvent));
  if (options->raw.event == kIoBytes && !only_shows)
    throw Error(formatted("option event: {} comes with io", kIoBytes), "give event=io");
  bool is_about_running = only_shows || options->action == Action::kPause || options->action == Action::kResume;
  if (names_event(*options, Event::kHolders) && !is_about_running) add_event(options, Event::kWall, "");
  const Options::RawEvents& raw = options->raw;
  options->write.event = options->live ? "" : first_event(raw);  // live is shown before all others
  Wanted wanted = wanted_events(*options);
  const EventRow* main = main_event(raw, wanted);
  if (raw.event.empty() && main == nullptr && !raw.interval.empty())
    throw Error("option interval: several events were given", formatted("give it by {}", own_options()));
  for (const EventRow& row : event_rows()) {
    bool is_exact = row.event == Event::kAlloc && options->exact;
    bool is_wanted = wanted[row.event], is_main = main == &row;
    bool has_interval = !raw.own[row.event].value_or("").empty() || (is_main && !raw.interval.empty());
    if (is_wanted && is_exact && has_interval)
      throw Error("option exact: it records every object, and an interval was given", "leave one of them out");
    std::optional<int64_t> interval;
    if (is_wanted) interval = is_exact ? 0 : chosen_interval(row, raw, is_main);
    set_interval(options, row.event, interval);
  }
  resolve_counters(options);
  refuse_idle(*options);
  refuse_without_perf(*options);
}

}  // namespace hearth::options
