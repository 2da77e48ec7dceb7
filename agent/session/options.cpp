#include "session/options.h"

#include <algorithm>

#include "base/error.h"
#include "base/formatted.h"
#include "base/nearest_word.h"
#include "session/event_options.h"
#include "session/http_address.h"
#include "session/option_values.h"
#include "session/store_options.h"

namespace hearth::session {
namespace {

// Whether an option says what comes out: a stop that says nothing of it leaves that to its start.
enum class Says { kOutput, kElse };

struct Entry : OptionHelp {
  using Apply = void (*)(Options* options, std::string_view value, const OptionHelp& option);
  constexpr Entry(std::string_view option, Says what, Takes how, std::string_view values, Apply then)
      : OptionHelp{option, values, what == Says::kOutput, how}, apply(then) {}

  Apply apply;
};

template <Action kAction>
void set_action(Options* options, std::string_view, const OptionHelp& option) {
  if (options->action != Action::kNone && options->action != kAction)
    throw Error(formatted("option {}: another action was given before it", option.name), "give one action at a time");
  options->action = kAction;
}

template <bool Options::*kMember>
void set_flag(Options* options, std::string_view, const OptionHelp&) {
  options->*kMember = true;
}

template <bool profile::WriteOptions::*kMember>
void set_write_flag(Options* options, std::string_view, const OptionHelp&) {
  options->write.*kMember = true;
}

template <profile::Format kFormat>
void add_format(Options* options, std::string_view, const OptionHelp&) {
  options->formats.push_back(kFormat);
}

constexpr std::string_view kSessionNames =
    "a name of letters, digits, . _ and -, 64 at most; to all but start also a number";
constexpr int64_t kMostLines = 1'000'000'000;

void set_flat(Options* options, std::string_view value, const OptionHelp& option) {
  options->formats.push_back(profile::Format::kFlat);
  if (!value.empty()) options->flat_limit = static_cast<int>(parse_whole(value, 1, kMostLines, option));
}

void set_traces(Options* options, std::string_view value, const OptionHelp& option) {
  options->formats.push_back(profile::Format::kTraces);
  if (!value.empty()) options->traces_limit = static_cast<int>(parse_whole(value, 1, kMostLines, option));
}

void set_stacks(Options* options, std::string_view value, const OptionHelp& option) {
  constexpr std::pair<std::string_view, StackStyle> kStyles[] = {
      {"vm", StackStyle::kVm},           {"agct", StackStyle::kAsyncGetCallTrace}, {"dwarf", StackStyle::kDwarf},
      {"fp", StackStyle::kFramePointer}, {"no", StackStyle::kNoNatives},           {"compare", StackStyle::kCompare}};
  for (const auto& [name, style] : kStyles) {
    if (value != name) continue;
    options->stacks = style;
    return;
  }
  refuse(option, value);
}

void set_depth(Options* options, std::string_view value, const OptionHelp& option) {
  constexpr int64_t kDeepest = 8192;
  size_t slash = value.find('/');
  int64_t depth = parse_whole(value.substr(0, slash), 1, kDeepest, option);
  int64_t kept = slash == std::string_view::npos ? depth : parse_whole(value.substr(slash + 1), 1, depth, option);
  options->java_depth = static_cast<uint32_t>(depth);
  options->java_kept = static_cast<uint32_t>(kept);
}

constexpr std::pair<std::string_view, bool Options::*> kFeatures[] = {
    {"pcaddr", &Options::pc_addresses}, {"vtable", &Options::receivers}, {"comptask", &Options::compilations}};

void set_features(Options* options, std::string_view value, const OptionHelp& option) {
  for (;;) {
    size_t end = value.find('+');
    std::string_view word = value.substr(0, end);
    auto known = std::find_if(std::begin(kFeatures), std::end(kFeatures),
                              [word](const auto& feature) { return feature.first == word; });
    if (known == std::end(kFeatures)) refuse(option, word);
    options->*known->second = true;
    if (end == std::string_view::npos) return;
    value.remove_prefix(end + 1);
  }
}

void set_filter(Options* options, std::string_view value, const OptionHelp&) {
  options->filter = events::ThreadFilter(value);
}

// Seconds, a duration with a unit, or hh:mm:ss since now.
void set_timeout(Options* options, std::string_view value, const OptionHelp& option) {
  constexpr int64_t kSecond = 1'000'000'000;
  size_t colon = value.find(':');
  if (colon == std::string_view::npos) {
    options->timeout_ns = parse_duration_ns(value, kSecond, option);
  } else {
    int64_t seconds = 0;
    std::string_view rest = value;
    for (int part = 0; part < 3; part++) {
      colon = rest.find(':');
      bool last = part == 2;
      if (last != (colon == std::string_view::npos)) refuse(option, value);
      seconds = seconds * 60 + parse_whole(rest.substr(0, colon), 0, part == 0 ? 999 : 59, option);
      rest.remove_prefix(last ? rest.size() : colon + 1);
    }
    options->timeout_ns = seconds * kSecond;
  }
  if (options->timeout_ns == 0) refuse(option, value);
}

void set_minwidth(Options* options, std::string_view value, const OptionHelp& option) {
  std::string text(value);
  char* end = nullptr;
  double percent = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0' || !(percent >= 0 && percent <= 100)) refuse(option, value);
  options->write.minwidth = percent;
}

// What the library says of a value that it refuses, with the option's name.
template <typename Read>
void read_value(const OptionHelp& option, const Read& read) {
  try {
    read();
  } catch (const profile::FormatError& error) {
    throw Error(formatted("option {}: {}", option.name, error.what()));
  }
}

void add_transform(Options* options, std::string_view value, const OptionHelp& option) {
  read_value(option, [&] { options->write.transforms.push_back(profile::transform_of_text(value)); });
}

void add_highlight(Options* options, std::string_view value, const OptionHelp& option) {
  read_value(option, [&] { profile::add_highlight(value, &options->write.highlights); });
}

void set_sort(Options* options, std::string_view value, const OptionHelp& option) {
  if (value != "name" && value != "width") refuse(option, value);
  options->write.sort_by_width = value == "width";
}

void set_log_level(Options* options, std::string_view value, const OptionHelp& option) {
  constexpr std::pair<std::string_view, LogLevel> kLevels[] = {{"trace", LogLevel::kDebug}, {"debug", LogLevel::kDebug},
                                                               {"info", LogLevel::kInfo},   {"warn", LogLevel::kWarn},
                                                               {"error", LogLevel::kError}, {"none", LogLevel::kNone}};
  for (const auto& [name, level] : kLevels) {
    if (value == name) {
      options->log_level = level;
      return;
    }
  }
  refuse(option, value);
}

template <std::string Options::*kMember>
void set_path(Options* options, std::string_view value, const OptionHelp& option) {
  if (value.empty()) refuse(option, value);
  options->*kMember = value;
}

void set_http(Options* options, std::string_view value, const OptionHelp& option) {
  parse_http_address(value, option);
  options->http = value;
}

void set_session(Options* options, std::string_view value, const OptionHelp& option) {
  constexpr size_t kMost = 64;
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
  if (value.empty() || value.size() > kMost || value.find_first_not_of(kLetters) != std::string_view::npos)
    refuse(option, value);
  options->session = value;
}

void set_keep(Options* options, std::string_view value, const OptionHelp& option) {
  constexpr int64_t kMostFiles = 1'000'000;
  size_t slash = value.find('/');
  StoreLimits limits;
  limits.bytes = parse_bytes(value.substr(0, slash), option);
  if (slash != std::string_view::npos) limits.count = parse_whole(value.substr(slash + 1), 1, kMostFiles, option);
  if (limits.bytes == 0) refuse(option, value);
  options->keep = limits;
}

using profile::Format;
using profile::WriteOptions;

// clang-format off
constexpr Entry kEntries[] = {
    {"start", Says::kElse, Takes::kNothing, "", set_action<Action::kStart>},
    {"stop", Says::kElse, Takes::kNothing, "", set_action<Action::kStop>},
    {"pause", Says::kElse, Takes::kNothing, "", set_action<Action::kPause>},
    {"resume", Says::kElse, Takes::kNothing, "", set_action<Action::kResume>},
    {"dump", Says::kElse, Takes::kNothing, "", set_action<Action::kDump>},
    {"status", Says::kElse, Takes::kNothing, "", set_action<Action::kStatus>},
    {"metrics", Says::kElse, Takes::kNothing, "", set_action<Action::kMetrics>},
    {"list", Says::kElse, Takes::kNothing, "", set_action<Action::kList>},
    {"version", Says::kElse, Takes::kNothing, "", set_action<Action::kVersion>},
    {"stop-http", Says::kElse, Takes::kNothing, "", set_action<Action::kStopHttp>},
    {"event", Says::kElse, Takes::kValue, "cpu, cpu-clock, ctimer, itimer, wall, alloc, lock", say_event},
    {"interval", Says::kElse, Takes::kValue, kIntervals, say_interval},
    {"wall", Says::kElse, Takes::kOptionalValue, kWallIntervals, say_wall},
    {"alloc", Says::kElse, Takes::kOptionalValue, kAllocationIntervals, say_alloc},
    {"exact", Says::kElse, Takes::kNothing, "", say_exact},
    {"live", Says::kElse, Takes::kNothing, "", say_live},
    {"tlab", Says::kElse, Takes::kNothing, "", say_tlab},
    {"lock", Says::kElse, Takes::kOptionalValue, kLockIntervals, say_lock},
    {"jstackdepth", Says::kElse, Takes::kValue, "1 to 8192, or two numbers as 2048/64, the second not above the first", set_depth},
    {"features", Says::kElse, Takes::kValue, "pcaddr, vtable, comptask; + between several", set_features},
    {"cstack", Says::kElse, Takes::kValue, "vm, agct, dwarf, fp, no", set_stacks},
    {"filter", Says::kElse, Takes::kValue, "thread ids, ranges, names: 120-127;main;pool-.*", set_filter},
    {"begin", Says::kElse, Takes::kValue, "a native function", set_path<&Options::begin>},
    {"end", Says::kElse, Takes::kValue, "a native function", set_path<&Options::end>},
    {"ttsp", Says::kElse, Takes::kNothing, "", set_flag<&Options::ttsp>},
    {"session", Says::kElse, Takes::kValue, kSessionNames, set_session},
    {"store", Says::kElse, Takes::kOptionalValue, "a directory; %p is expanded", say_store},
    {"window", Says::kElse, Takes::kValue, kWindowLengths, say_window},
    {"budget", Says::kElse, Takes::kValue, "percent of a CPU: 1%, 0.5%", say_budget},
    {"on", Says::kElse, Takes::kValue, kFlightTriggers, say_on},
    {"freeze", Says::kElse, Takes::kValue, "a duration up to 1d: 5m; a bare number is minutes", say_freeze},
    {"push", Says::kElse, Takes::kValue, "http://HOST:PORT of Pyroscope, or http://HOST:4318/v1development/profiles", say_push},
    {"push-labels", Says::kElse, Takes::kValue, "service:NAME;version:V;env:prod", say_push_labels},
    {"push-token", Says::kElse, Takes::kValue, "a path; the file holds a bearer token", set_path<&Options::push_token>},
    {"push-tenant", Says::kElse, Takes::kValue, "the tenant of Pyroscope, as team-a", say_push_tenant},
    {"from", Says::kElse, Takes::kValue, "a time: 10:02, 2026-11-23T10:02, -10m", set_path<&Options::from>},
    {"to", Says::kElse, Takes::kValue, "a time, as from", set_path<&Options::to>},
    {"timeout", Says::kElse, Takes::kValue, "seconds, 10m, 2h, hh:mm:ss", set_timeout},
    {"file", Says::kOutput, Takes::kValue, "a path; %p %t %n %{ENV} are expanded", set_path<&Options::file>},
    {"collapsed", Says::kOutput, Takes::kNothing, "", add_format<Format::kCollapsed>},
    {"flamegraph", Says::kOutput, Takes::kNothing, "", add_format<Format::kFlameGraph>},
    {"pprof", Says::kOutput, Takes::kNothing, "", add_format<Format::kPprof>},
    {"flat", Says::kOutput, Takes::kOptionalValue, "how many methods", set_flat},
    {"traces", Says::kOutput, Takes::kOptionalValue, "how many stacks", set_traces},
    {"samples", Says::kOutput, Takes::kNothing, "", [](Options* o, std::string_view, const OptionHelp&) { o->write.lens = profile::Lens::kSamples; }},
    {"total", Says::kOutput, Takes::kNothing, "", [](Options* o, std::string_view, const OptionHelp&) { o->write.lens = profile::Lens::kTotal; }},
    {"threads", Says::kOutput, Takes::kNothing, "", set_flag<&Options::threads>},
    {"simple", Says::kOutput, Takes::kNothing, "", set_flag<&Options::simple_names>},
    {"norm", Says::kOutput, Takes::kNothing, "", set_flag<&Options::normalize>},
    {"sig", Says::kOutput, Takes::kNothing, "", set_flag<&Options::signatures>},
    {"ann", Says::kOutput, Takes::kNothing, "", set_write_flag<&WriteOptions::annotate>},
    {"lines", Says::kOutput, Takes::kNothing, "", set_write_flag<&WriteOptions::lines>},
    {"lib", Says::kOutput, Takes::kNothing, "", set_flag<&Options::library_names>},
    {"dot", Says::kOutput, Takes::kNothing, "", set_flag<&Options::dots>},
    {"include", Says::kOutput, Takes::kValues, "a frame name, * at its start or end", [](Options* o, std::string_view v, const OptionHelp&) { o->write.include.emplace_back(v); }},
    {"exclude", Says::kOutput, Takes::kValues, "a frame name, * at its start or end", [](Options* o, std::string_view v, const OptionHelp&) { o->write.exclude.emplace_back(v); }},
    {"title", Says::kOutput, Takes::kValue, "a text without commas", [](Options* o, std::string_view v, const OptionHelp&) { o->write.title = v; }},
    {"minwidth", Says::kOutput, Takes::kValue, "percent, 0 to 100", set_minwidth},
    {"transform", Says::kOutput, Takes::kValues, profile::kTransformForms, add_transform},
    {"highlight", Says::kOutput, Takes::kValues, "a text, or /REGEX/", add_highlight},
    {"sort", Says::kOutput, Takes::kValue, "name, width", set_sort},
    {"reverse", Says::kOutput, Takes::kNothing, "", set_write_flag<&WriteOptions::reverse>},
    {"inverted", Says::kOutput, Takes::kNothing, "", set_write_flag<&WriteOptions::inverted>},
    {"clojure", Says::kOutput, Takes::kOptionalValue, "on, off", [](Options* o, std::string_view v, const OptionHelp& e) { o->clojure = parse_switch(v, e); }},
    {"http", Says::kElse, Takes::kValue, kHttpAddresses, set_http},
    {"token", Says::kElse, Takes::kValue, "a path; a file that is there must be this user's alone", set_path<&Options::token_file>},
    {"keep", Says::kElse, Takes::kValue, "bytes, 500m, 4g; 4g/1000: and no more than 1000 profiles", set_keep},
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
  std::string value(has_value ? part.substr(equals + 1) : "");
  std::replace(value.begin(), value.end(), kCommaInValue, ',');
  if (entry->takes == Takes::kNothing && has_value)
    throw Error(formatted("option {}: takes no value, but \"{}\" was read", key, value),
                formatted("write just {}", key));
  bool needs_value = entry->takes == Takes::kValue || entry->takes == Takes::kValues;
  if (needs_value && !has_value)
    throw Error(formatted("option {}: needs a value", key), formatted("write {}=…; accepted: {}", key, entry->accepts));
  entry->apply(options, value, *entry);
  if (entry->shapes_output) options->says_output = true;
}

void check_together(const Options& options) {
  bool asks = options.action == Action::kStatus || options.action == Action::kMetrics ||
              options.action == Action::kList || options.action == Action::kVersion ||
              options.action == Action::kStopHttp;
  if (asks && !options.formats.empty())
    throw Error("an output format was given with an action that makes no profile", "use it with start, stop or dump");
  size_t texts = 0;
  for (Format format : options.formats) texts += format == Format::kFlat || format == Format::kTraces ? 1 : 0;
  if (options.formats.size() > 1 && texts != options.formats.size())
    throw Error("two output formats were given",
                "give one of collapsed, flamegraph, pprof, or flat and traces together");
  if (!options.http.empty() && options.action != Action::kNone && options.action != Action::kStart)
    throw Error("option http: an action was given that does not go with it", "give it with start, or alone");
  if (options.http.empty() && !options.token_file.empty())
    throw Error("option token: there is no http, whose secret it is", "give http=PORT with it");
  if (options.http.empty() && options.keep && !(options.is_about_store && options.action == Action::kStart))
    throw Error("option keep: there is neither http nor a store that it bounds", "give http=PORT or store=DIR with it");
  if (options.ttsp && !(options.begin.empty() && options.end.empty()))
    throw Error("option ttsp: begin or end was given, too, and ttsp is both", "give one or the other");
  if (!options.begin.empty() && options.begin == options.end)
    throw Error(formatted("option end: {} is what begin names", options.end), "give two different functions");
}

// A pause is of events as their start said them: what came at other intervals would be no part of the same profile.
void check_pause(const Options& options) {
  bool pauses = options.action == Action::kPause, resumes = options.action == Action::kResume;
  if (!pauses && !resumes) return;
  const char* action = pauses ? "pause" : "resume";
  if (options.says_output)
    throw Error(formatted("an output was given with {}, which makes no profile", action), "give it with stop or dump");
  const Options::Said& said = options.said;
  if (!said.interval.empty() || !said.wall_interval.empty() || !said.allocation_interval.empty() ||
      !said.lock_interval.empty())
    throw Error(formatted("an interval was given with {}", action), "events keep the one that their start gave them");
}

void check_session(const Options& options) {
  if (options.session.empty()) return;
  constexpr Action kAboutOne[] = {Action::kStart,  Action::kStop, Action::kPause,
                                  Action::kResume, Action::kDump, Action::kStatus};
  bool is_about_one = std::find(std::begin(kAboutOne), std::end(kAboutOne), options.action) != std::end(kAboutOne);
  if (!is_about_one || options.is_about_store)
    throw Error("option session: nothing that was given is about a session",
                "give it with start, stop, pause, resume, dump or status");
  bool is_number = options.session.find_first_not_of("0123456789") == std::string::npos;
  if (options.action == Action::kStart && is_number)
    throw Error(formatted("option session: cannot use \"{}\" as a name", options.session),
                "numbers are given to sessions as they start; begin it with a letter");
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
  settle_store(&options);
  check_session(options);
  check_pause(options);
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
    if (entry.name != "reply") options.push_back(entry);
  }
  return options;
}

}  // namespace hearth::session
