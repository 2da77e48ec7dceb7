#include "options/event_options.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "base/error.h"
#include "base/formatted.h"
#include "options/event_table.h"
#include "options/option_values.h"
#include "options/sampled_events.h"
#include "profile/model/event_view.h"

namespace hearth::options {
namespace {

constexpr std::string_view kLive = profile::kLiveEvent;

using Wanted = std::array<bool, kEventCount>;

// Where an option of an event's own name is kept as typed; cpu has none.
struct OwnOption {
  bool Options::Said::*is_given;
  std::string Options::Said::*interval;
};

OwnOption own_option(Event event) {
  switch (event) {
    case Event::kCpu:
      return {nullptr, nullptr};
    case Event::kWall:
      return {&Options::Said::wall, &Options::Said::wall_interval};
    case Event::kAlloc:
      return {&Options::Said::alloc, &Options::Said::allocation_interval};
    case Event::kLock:
      return {&Options::Said::lock, &Options::Said::lock_interval};
  }
  return {nullptr, nullptr};
}

[[noreturn]] void refuse_two(std::string_view event) {
  throw Error(formatted("two intervals of {} were given", event), formatted("give it by {}= or by interval=", event));
}

// All CPU engines fill the same values.
std::string event_of_text(const std::string& said) {
  const EventRow* row = event_row(said);
  return said.empty() || row != nullptr || said == kLive ? said : row_of(Event::kCpu).name;
}

Wanted wanted_events(const Options::Said& said) {
  Wanted wanted{};
  for (const EventRow& row : event_rows()) {
    OwnOption own = own_option(row.event);
    if (own.is_given != nullptr) wanted[static_cast<size_t>(row.event)] = said.*own.is_given || said.event == row.name;
  }
  bool is_any = std::find(wanted.begin(), wanted.end(), true) != wanted.end();
  wanted[static_cast<size_t>(Event::kCpu)] = !said.cpu.empty() || (said.event.empty() && !is_any);
  return wanted;
}

// The event that interval= is about; null where that could be several.
const EventRow* main_event(const Options::Said& said, const Wanted& wanted) {
  if (!said.event.empty()) return event_row(event_of_text(said.event));
  if (std::count(wanted.begin(), wanted.end(), true) > 1) return nullptr;
  auto only = std::find(wanted.begin(), wanted.end(), true);
  return &event_rows()[static_cast<size_t>(only - wanted.begin())];
}

// By an option of the event's own name, or by interval= where it is the main event.
int64_t chosen_interval(const EventRow& row, const Options::Said& said, bool is_main) {
  OwnOption own = own_option(row.event);
  std::string_view text = own.interval == nullptr ? std::string_view() : said.*own.interval;
  bool by_interval = is_main && !said.interval.empty();
  if (by_interval && !text.empty()) refuse_two(row.name);
  std::string accepts = formatted("for {}, {}", row.name, row.accepts);
  if (by_interval) return parse_interval(row, said.interval, {"interval", accepts});
  return text.empty() ? row.usual : parse_interval(row, text, {row.name, row.accepts});
}

[[noreturn]] void refuse_as_event(std::string_view word) {
  throw Error(formatted("option event: {} is no event, but an option of its own", word),
              formatted("give {0} alone, or beside event=cpu (the launcher's --{0})", word));
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

// The first event keeps its name; each further one is what its own option is.
void say_one_event(Options* options, std::string_view word, const OptionHelp& option) {
  constexpr std::pair<std::string_view, void (*)(Options*, std::string_view, const OptionHelp&)> kOfAllocations[] = {
      {kLive, say_live}, {"tlab", say_tlab}, {"exact", say_exact}};
  Options::Said& said = options->said;
  bool is_first = said.event.empty() || said.event == word;
  if (const CpuEngine* engine = engine_of(word)) {
    if (!said.cpu.empty() && said.cpu != word)
      throw Error(formatted("option {}: {} and {} were given", option.name, said.cpu, word), "give one of them");
    said.cpu = word;
    options->engine = *engine;
    if (is_first) said.event = word;
    return;
  }
  const auto* of_allocations = std::find_if(std::begin(kOfAllocations), std::end(kOfAllocations),
                                            [&](const auto& one) { return one.first == word; });
  bool is_event = event_row(word) != nullptr;
  if (!is_event && of_allocations == std::end(kOfAllocations)) refuse(option, word);
  if (!is_first) return is_event ? say_own_event(options, "", {word, ""}) : of_allocations->second(options, "", option);
  if (word == "tlab" || word == "exact") refuse_as_event(word);
  said.event = word;
}

// Options that need a clock, given with allocations or locks alone.
void refuse_idle(const Options& options) {
  if (has_clock(options)) return;
  constexpr const char* kRemedy = "leave it out or add event=cpu or wall";
  if (options.ttsp)
    throw Error("option ttsp: nothing is allocated, and no lock taken, on the way to a safepoint", kRemedy);
  if (options.pc_addresses || options.receivers || options.compilations)
    throw Error("option features: they tell of interrupted code, and allocations and locks interrupt none", kRemedy);
}

}  // namespace

bool is_cpu_event(std::string_view word) {
  return engine_of(word) != nullptr;
}

bool continues_events(const Options& options, std::string_view word) {
  return !options.said.event.empty() && is_cpu_event(word);
}

void say_event(Options* options, std::string_view value, const OptionHelp& option) {
  for (;;) {
    size_t end = value.find(',');
    say_one_event(options, value.substr(0, end), option);
    if (end == std::string_view::npos) return;
    value.remove_prefix(end + 1);
  }
}

void say_interval(Options* options, std::string_view value, const OptionHelp& option) {
  if (value.empty()) refuse(option, value);
  options->said.interval = value;
}

void say_own_event(Options* options, std::string_view value, const OptionHelp& option) {
  OwnOption own = own_option(event_row(option.name)->event);
  options->said.*own.is_given = true;
  if (!value.empty()) options->said.*own.interval = value;
}

void say_exact(Options* options, std::string_view, const OptionHelp&) {
  options->said.alloc = true;
  options->exact = true;
}

void say_live(Options* options, std::string_view, const OptionHelp&) {
  options->said.alloc = true;
  options->live = true;
}

// Which engine, and so that there is one.
void say_tlab(Options* options, std::string_view, const OptionHelp&) {
  options->said.alloc = true;
  options->tlab = true;
}

// An event's own option without event= is that event alone, with event= it is one more. An interval= is that of event=.
void settle_events(Options* options) {
  if (options->exact && options->tlab) throw Error("option exact: tlab does not see every object", "leave tlab out");
  if (options->live && options->tlab) throw Error("option live: tlab knows no objects to follow", "leave tlab out");
  bool only_shows = options->action == Action::kStop || options->action == Action::kDump;
  if (options->said.event == kLive && !only_shows) refuse_as_event(kLive);
  const Options::Said& said = options->said;
  options->write.event = options->live ? "" : event_of_text(said.event);  // live is shown before all others
  Wanted wanted = wanted_events(said);
  const EventRow* main = main_event(said, wanted);
  if (said.event.empty() && main == nullptr && !said.interval.empty())
    throw Error("option interval: it may be that of several events", "give it by wall=, alloc= or lock=");
  for (const EventRow& row : event_rows()) {
    bool is_exact = row.event == Event::kAlloc && options->exact;
    bool is_wanted = wanted[static_cast<size_t>(row.event)], is_main = main == &row;
    if (is_wanted && is_exact && (!said.allocation_interval.empty() || (is_main && !said.interval.empty())))
      throw Error("option exact: it records every object, and an interval was given", "leave one of them out");
    std::optional<int64_t> interval;
    if (is_wanted) interval = is_exact ? 0 : chosen_interval(row, said, is_main);
    set_interval(options, row.event, interval);
  }
  refuse_idle(*options);
}

}  // namespace hearth::options
