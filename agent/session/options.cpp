#include "session/options.h"

#include <algorithm>
#include <charconv>
#include <functional>
#include <limits>

#include "base/error.h"
#include "base/formatted.h"
#include "base/nearest_word.h"

namespace hearth::session {
namespace {

enum class Takes { kNothing, kValue, kOptionalValue };

// Whether an option says what comes out: a stop that says nothing of it leaves that to its start.
enum class Says { kOutput, kElse };

struct Entry {
  std::string_view name;
  Says says;
  Takes takes;
  std::string_view accepts;
  void (*apply)(Options* options, std::string_view value, const Entry& entry);
};

[[noreturn]] void refuse(const Entry& entry, std::string_view value) {
  throw Error(formatted("option {}: cannot use \"{}\"", entry.name, value), formatted("accepted: {}", entry.accepts));
}

int64_t parse_number(std::string_view text, const Entry& entry, std::string_view* rest) {
  int64_t number = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || number < 0) refuse(entry, text);
  *rest = text.substr(static_cast<size_t>(end - text.data()));
  return number;
}

int64_t scaled(int64_t number, int64_t factor, std::string_view text, const Entry& entry) {
  if (number > std::numeric_limits<int64_t>::max() / factor) refuse(entry, text);
  return number * factor;
}

// Units as async-profiler reads them; a bare number counts `unit` nanoseconds.
int64_t parse_duration_ns(std::string_view text, int64_t unit, const Entry& entry) {
  std::string_view suffix;
  int64_t number = parse_number(text, entry, &suffix);
  if (suffix.empty()) return scaled(number, unit, text, entry);
  constexpr int64_t kSecond = 1'000'000'000;
  constexpr std::pair<std::string_view, int64_t> kUnits[] = {
      {"ns", 1},           {"us", 1'000},         {"ms", 1'000'000},     {"s", kSecond},
      {"m", 60 * kSecond}, {"h", 3600 * kSecond}, {"d", 86400 * kSecond}};
  for (const auto& [name, factor] : kUnits) {
    if (suffix == name) return scaled(number, factor, text, entry);
  }
  refuse(entry, text);
}

int64_t parse_whole(std::string_view text, int64_t least, int64_t most, const Entry& entry) {
  std::string_view rest;
  int64_t number = parse_number(text, entry, &rest);
  if (!rest.empty() || number < least || number > most) refuse(entry, text);
  return number;
}

bool parse_switch(std::string_view text, const Entry& entry) {
  if (text.empty() || text == "on" || text == "true") return true;
  if (text == "off" || text == "false") return false;
  refuse(entry, text);
}

template <Action kAction>
void set_action(Options* options, std::string_view, const Entry& entry) {
  if (options->action != Action::kNone && options->action != kAction)
    throw Error(formatted("option {}: another action was given before it", entry.name), "give one action at a time");
  options->action = kAction;
}

template <bool Options::*kMember>
void set_flag(Options* options, std::string_view, const Entry&) {
  options->*kMember = true;
}

template <bool profile::WriteOptions::*kMember>
void set_write_flag(Options* options, std::string_view, const Entry&) {
  options->write.*kMember = true;
}

template <profile::Format kFormat>
void add_format(Options* options, std::string_view, const Entry&) {
  options->formats.push_back(kFormat);
}

constexpr int64_t kMostLines = 1'000'000'000;

void set_flat(Options* options, std::string_view value, const Entry& entry) {
  options->formats.push_back(profile::Format::kFlat);
  if (!value.empty()) options->flat_limit = static_cast<int>(parse_whole(value, 1, kMostLines, entry));
}

void set_traces(Options* options, std::string_view value, const Entry& entry) {
  options->formats.push_back(profile::Format::kTraces);
  if (!value.empty()) options->traces_limit = static_cast<int>(parse_whole(value, 1, kMostLines, entry));
}

constexpr std::string_view kWall = "wall";

void set_event(Options* options, std::string_view value, const Entry& entry) {
  options->said_event = value;
  if (value == kWall) return;
  constexpr std::pair<std::string_view, CpuEngine> kEvents[] = {{"cpu", CpuEngine::kAutomatic},
                                                                {"cpu-clock", CpuEngine::kPerfEvents},
                                                                {"ctimer", CpuEngine::kThreadTimer},
                                                                {"itimer", CpuEngine::kProcessTimer}};
  for (const auto& [name, engine] : kEvents) {
    if (value != name) continue;
    options->engine = engine;
    return;
  }
  refuse(entry, value);
}

constexpr int64_t kLongestInterval = 3600LL * 1'000'000'000;
constexpr int64_t kShortestWallInterval = 100'000;

void set_interval(Options* options, std::string_view value, const Entry& entry) {
  constexpr int64_t kShortest = 10'000;  // the kernel's own limit for cpu-clock
  options->said_interval_ns = parse_duration_ns(value, 1, entry);
  if (*options->said_interval_ns < kShortest || *options->said_interval_ns > kLongestInterval) refuse(entry, value);
}

void set_wall(Options* options, std::string_view value, const Entry& entry) {
  options->said_wall = true;
  if (value.empty()) return;
  options->said_wall_interval_ns = parse_duration_ns(value, 1, entry);
  if (*options->said_wall_interval_ns < kShortestWallInterval || *options->said_wall_interval_ns > kLongestInterval)
    refuse(entry, value);
}

void set_stacks(Options* options, std::string_view value, const Entry& entry) {
  constexpr std::pair<std::string_view, StackStyle> kStyles[] = {
      {"vm", StackStyle::kVm},           {"agct", StackStyle::kAsyncGetCallTrace}, {"dwarf", StackStyle::kDwarf},
      {"fp", StackStyle::kFramePointer}, {"no", StackStyle::kNoNatives},           {"compare", StackStyle::kCompare}};
  for (const auto& [name, style] : kStyles) {
    if (value != name) continue;
    options->stacks = style;
    return;
  }
  refuse(entry, value);
}

void set_depth(Options* options, std::string_view value, const Entry& entry) {
  constexpr int64_t kDeepest = 8192;
  size_t slash = value.find('/');
  int64_t depth = parse_whole(value.substr(0, slash), 1, kDeepest, entry);
  int64_t kept = slash == std::string_view::npos ? depth : parse_whole(value.substr(slash + 1), 1, depth, entry);
  options->java_depth = static_cast<uint32_t>(depth);
  options->java_kept = static_cast<uint32_t>(kept);
}

constexpr std::pair<std::string_view, bool Options::*> kFeatures[] = {
    {"pcaddr", &Options::pc_addresses}, {"vtable", &Options::receivers}, {"comptask", &Options::compilations}};

void set_features(Options* options, std::string_view value, const Entry& entry) {
  for (;;) {
    size_t end = value.find('+');
    std::string_view word = value.substr(0, end);
    auto known = std::find_if(std::begin(kFeatures), std::end(kFeatures),
                              [word](const auto& feature) { return feature.first == word; });
    if (known == std::end(kFeatures)) refuse(entry, word);
    options->*known->second = true;
    if (end == std::string_view::npos) return;
    value.remove_prefix(end + 1);
  }
}

void set_filter(Options* options, std::string_view value, const Entry&) {
  options->filter = events::ThreadFilter(value);
}

// Seconds, a duration with a unit, or hh:mm:ss since now.
void set_timeout(Options* options, std::string_view value, const Entry& entry) {
  constexpr int64_t kSecond = 1'000'000'000;
  size_t colon = value.find(':');
  if (colon == std::string_view::npos) {
    options->timeout_ns = parse_duration_ns(value, kSecond, entry);
  } else {
    int64_t seconds = 0;
    std::string_view rest = value;
    for (int part = 0; part < 3; part++) {
      colon = rest.find(':');
      bool last = part == 2;
      if (last != (colon == std::string_view::npos)) refuse(entry, value);
      seconds = seconds * 60 + parse_whole(rest.substr(0, colon), 0, part == 0 ? 999 : 59, entry);
      rest.remove_prefix(last ? rest.size() : colon + 1);
    }
    options->timeout_ns = seconds * kSecond;
  }
  if (options->timeout_ns == 0) refuse(entry, value);
}

void set_minwidth(Options* options, std::string_view value, const Entry& entry) {
  std::string text(value);
  char* end = nullptr;
  double percent = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0' || !(percent >= 0 && percent <= 100)) refuse(entry, value);
  options->write.minwidth = percent;
}

void set_log_level(Options* options, std::string_view value, const Entry& entry) {
  constexpr std::pair<std::string_view, LogLevel> kLevels[] = {{"trace", LogLevel::kDebug}, {"debug", LogLevel::kDebug},
                                                               {"info", LogLevel::kInfo},   {"warn", LogLevel::kWarn},
                                                               {"error", LogLevel::kError}, {"none", LogLevel::kNone}};
  for (const auto& [name, level] : kLevels) {
    if (value == name) {
      options->log_level = level;
      return;
    }
  }
  refuse(entry, value);
}

template <std::string Options::*kMember>
void set_path(Options* options, std::string_view value, const Entry& entry) {
  if (value.empty()) refuse(entry, value);
  options->*kMember = value;
}

using profile::Format;
using profile::WriteOptions;

// clang-format off
constexpr Entry kEntries[] = {
    {"start", Says::kElse, Takes::kNothing, "", set_action<Action::kStart>},
    {"stop", Says::kElse, Takes::kNothing, "", set_action<Action::kStop>},
    {"dump", Says::kElse, Takes::kNothing, "", set_action<Action::kDump>},
    {"status", Says::kElse, Takes::kNothing, "", set_action<Action::kStatus>},
    {"metrics", Says::kElse, Takes::kNothing, "", set_action<Action::kMetrics>},
    {"list", Says::kElse, Takes::kNothing, "", set_action<Action::kList>},
    {"version", Says::kElse, Takes::kNothing, "", set_action<Action::kVersion>},
    {"event", Says::kElse, Takes::kValue, "cpu, cpu-clock, ctimer, itimer, wall", set_event},
    {"interval", Says::kElse, Takes::kValue, "a whole number with ns, us, ms or s, from 10us to 1h; alone it is nanoseconds", set_interval},
    {"wall", Says::kElse, Takes::kOptionalValue, "a whole number with ns, us, ms or s, from 100us to 1h; alone it is nanoseconds", set_wall},
    {"jstackdepth", Says::kElse, Takes::kValue, "1 to 8192, or two numbers as 2048/64, the second not above the first", set_depth},
    {"features", Says::kElse, Takes::kValue, "pcaddr, vtable, comptask; + between several", set_features},
    {"cstack", Says::kElse, Takes::kValue, "vm, agct, dwarf, fp, no", set_stacks},
    {"filter", Says::kElse, Takes::kValue, "thread ids, ranges, names: 120-127;main;pool-.*", set_filter},
    {"begin", Says::kElse, Takes::kValue, "a native function", set_path<&Options::begin>},
    {"end", Says::kElse, Takes::kValue, "a native function", set_path<&Options::end>},
    {"ttsp", Says::kElse, Takes::kNothing, "", set_flag<&Options::ttsp>},
    {"timeout", Says::kElse, Takes::kValue, "seconds, 10m, 2h, hh:mm:ss", set_timeout},
    {"file", Says::kOutput, Takes::kValue, "a path; %p %t %n %{ENV} are expanded", set_path<&Options::file>},
    {"collapsed", Says::kOutput, Takes::kNothing, "", add_format<Format::kCollapsed>},
    {"flamegraph", Says::kOutput, Takes::kNothing, "", add_format<Format::kFlameGraph>},
    {"pprof", Says::kOutput, Takes::kNothing, "", add_format<Format::kPprof>},
    {"flat", Says::kOutput, Takes::kOptionalValue, "how many methods", set_flat},
    {"traces", Says::kOutput, Takes::kOptionalValue, "how many stacks", set_traces},
    {"samples", Says::kOutput, Takes::kNothing, "", [](Options* o, std::string_view, const Entry&) { o->write.lens = profile::Lens::kSamples; }},
    {"total", Says::kOutput, Takes::kNothing, "", [](Options* o, std::string_view, const Entry&) { o->write.lens = profile::Lens::kTotal; }},
    {"threads", Says::kOutput, Takes::kNothing, "", set_flag<&Options::threads>},
    {"simple", Says::kOutput, Takes::kNothing, "", set_flag<&Options::simple_names>},
    {"norm", Says::kOutput, Takes::kNothing, "", set_flag<&Options::normalize>},
    {"sig", Says::kOutput, Takes::kNothing, "", set_flag<&Options::signatures>},
    {"ann", Says::kOutput, Takes::kNothing, "", set_write_flag<&WriteOptions::annotate>},
    {"lines", Says::kOutput, Takes::kNothing, "", set_write_flag<&WriteOptions::lines>},
    {"lib", Says::kOutput, Takes::kNothing, "", set_flag<&Options::library_names>},
    {"dot", Says::kOutput, Takes::kNothing, "", set_flag<&Options::dots>},
    {"include", Says::kOutput, Takes::kValue, "a frame name, * at its start or end", [](Options* o, std::string_view v, const Entry&) { o->write.include.emplace_back(v); }},
    {"exclude", Says::kOutput, Takes::kValue, "a frame name, * at its start or end", [](Options* o, std::string_view v, const Entry&) { o->write.exclude.emplace_back(v); }},
    {"title", Says::kOutput, Takes::kValue, "a text without commas", [](Options* o, std::string_view v, const Entry&) { o->write.title = v; }},
    {"minwidth", Says::kOutput, Takes::kValue, "percent, 0 to 100", set_minwidth},
    {"reverse", Says::kOutput, Takes::kNothing, "", set_write_flag<&WriteOptions::reverse>},
    {"inverted", Says::kOutput, Takes::kNothing, "", set_write_flag<&WriteOptions::inverted>},
    {"clojure", Says::kOutput, Takes::kOptionalValue, "on, off", [](Options* o, std::string_view v, const Entry& e) { o->clojure = parse_switch(v, e); }},
    {"loglevel", Says::kElse, Takes::kValue, "debug, info, warn, error, none", set_log_level},
    {"log", Says::kElse, Takes::kValue, "a path", set_path<&Options::log_file>},
    {"quiet", Says::kElse, Takes::kNothing, "", set_flag<&Options::quiet>},
    {"reply", Says::kElse, Takes::kValue, "a path", set_path<&Options::reply>},
};
// clang-format on

const Entry* find_entry(std::string_view key) {
  for (const Entry& entry : kEntries) {
    if (entry.name == key) return &entry;
  }
  return nullptr;
}

[[noreturn]] void refuse_key(std::string_view key) {
  std::vector<std::string_view> known;
  for (const OptionHelp& option : known_options()) known.push_back(option.name);
  auto nearest = nearest_word(key, known);
  throw Error(formatted("unknown option \"{}\"", key),
              nearest ? formatted("did you mean \"{}\"?", *nearest) : "the README lists the options");
}

void apply(Options* options, std::string_view part) {
  size_t equals = part.find('=');
  std::string_view key = part.substr(0, equals);
  const Entry* entry = find_entry(key);
  if (entry == nullptr) refuse_key(key);
  bool has_value = equals != std::string_view::npos;
  std::string_view value = has_value ? part.substr(equals + 1) : "";
  if (entry->takes == Takes::kNothing && has_value)
    throw Error(formatted("option {}: takes no value, but \"{}\" was read", key, value),
                formatted("write just {}", key));
  if (entry->takes == Takes::kValue && !has_value)
    throw Error(formatted("option {}: needs a value", key), formatted("write {}=…; accepted: {}", key, entry->accepts));
  entry->apply(options, value, *entry);
  if (entry->says == Says::kOutput) options->says_output = true;
}

void check_together(const Options& options) {
  bool asks = options.action == Action::kStatus || options.action == Action::kMetrics ||
              options.action == Action::kList || options.action == Action::kVersion;
  if (asks && !options.formats.empty())
    throw Error("an output format was given with an action that makes no profile", "use it with start, stop or dump");
  size_t texts = 0;
  for (Format format : options.formats) texts += format == Format::kFlat || format == Format::kTraces ? 1 : 0;
  if (options.formats.size() > 1 && texts != options.formats.size())
    throw Error("two output formats were given",
                "give one of collapsed, flamegraph, pprof, or flat and traces together");
  if (options.ttsp && !(options.begin.empty() && options.end.empty()))
    throw Error("option ttsp: begin or end was given, too, and ttsp is both", "give one or the other");
  if (!options.begin.empty() && options.begin == options.end)
    throw Error(formatted("option end: {} is what begin names", options.end), "give two different functions");
}

// wall= beside no event is the wall clock alone, beside another both. An interval= is that of the event=.
void settle_events(Options* options) {
  if (options->action == Action::kStop || options->action == Action::kDump)
    options->write.event = options->said_event.empty() || options->said_event == kWall ? options->said_event : "cpu";
  bool wall = options->said_wall || options->said_event == kWall;
  options->cpu = options->said_event.empty() ? !wall : options->said_event != kWall;
  if (options->cpu) {
    if (options->said_interval_ns) options->interval_ns = *options->said_interval_ns;
  } else if (options->said_interval_ns && options->said_wall_interval_ns) {
    throw Error("two intervals of the wall clock were given", "give it by wall= or by interval=");
  }
  if (!wall) return;
  constexpr int64_t kDefault = 50'000'000;
  options->wall_interval_ns = kDefault;
  if (options->said_wall_interval_ns) {
    options->wall_interval_ns = *options->said_wall_interval_ns;
  } else if (!options->cpu && options->said_interval_ns) {
    options->wall_interval_ns = *options->said_interval_ns;
  }
  if (options->wall_interval_ns < kShortestWallInterval)
    throw Error(formatted("option interval: cannot use {} ns for the wall clock", options->wall_interval_ns),
                "accepted: 100us to 1h");
}

}  // namespace

Options parse_options(std::string_view text) {
  Options options;
  while (!text.empty()) {
    size_t comma = text.find(',');
    std::string_view part = text.substr(0, comma);
    text.remove_prefix(comma == std::string_view::npos ? text.size() : comma + 1);
    if (!part.empty()) apply(&options, part);
  }
  check_together(options);
  if (options.ttsp) {
    options.begin = "SafepointSynchronize::begin";
    options.end = "RuntimeService::record_safepoint_synchronized";
  }
  settle_events(&options);
  return options;
}

std::string reply_option(std::string_view text) {
  constexpr std::string_view kKey = ",reply=";
  size_t at = text.rfind(kKey);
  if (at == std::string_view::npos) return "";
  text.remove_prefix(at + kKey.size());
  return std::string(text.substr(0, text.find(',')));
}

std::vector<OptionHelp> known_options() {
  std::vector<OptionHelp> options;
  for (const Entry& entry : kEntries) {
    if (entry.name != "reply") options.push_back({entry.name, entry.accepts});
  }
  return options;
}

}  // namespace hearth::session
