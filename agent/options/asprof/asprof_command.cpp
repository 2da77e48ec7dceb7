#include "options/asprof/asprof_command.h"

#include <algorithm>
#include <ctime>
#include <iterator>
#include <optional>
#include <utility>

#include "base/error.h"
#include "base/formatted.h"
#include "base/text_parts.h"
#include "options/asprof/asprof_values.h"
#include "options/asprof/asprof_words.h"
#include "options/event_options.h"
#include "options/event_table.h"
#include "options/option_table.h"
#include "options/option_text.h"
#include "options/option_values.h"

namespace hearth::options {
namespace {

using Value = std::optional<std::string_view>;
using Values = std::vector<std::optional<std::string>>;

constexpr int64_t kUsualProcesses = 30;              // seconds
constexpr std::string_view kAllRows = "1000000000";  // of flat and traces without a number
constexpr std::string_view kFlatInFile = "200", kTracesInFile = "100";

constexpr std::pair<std::string_view, AsprofAction> kActions[] = {
    {"start", AsprofAction::kStart}, {"resume", AsprofAction::kResume},  {"stop", AsprofAction::kStop},
    {"dump", AsprofAction::kDump},   {"status", AsprofAction::kStatus},  {"metrics", AsprofAction::kMetrics},
    {"list", AsprofAction::kList},   {"version", AsprofAction::kVersion}};

// Hearth's word for the action; "" where it has none.
std::string_view hearth_action(AsprofAction action) {
  if (action == AsprofAction::kResume) action = AsprofAction::kStart;
  for (const auto& [name, one] : kActions)
    if (one == action) return name;
  return "";
}

// Events that async-profiler samples in addition to another, each by an option of its own.
bool is_of_own_option(Event event) {
  return event == Event::kAlloc || event == Event::kLock || event == Event::kNativeMemory ||
         event == Event::kNativeLock;
}

bool is_of_waits(Event event) {
  return event == Event::kLock || event == Event::kNativeLock;
}

bool starts(AsprofAction action) {
  return action == AsprofAction::kStart || action == AsprofAction::kResume;
}

std::string_view need(std::string_view option, const Value& value) {
  if (!value || value->empty()) throw Error(formatted("option {}: needs a value", option));
  return *value;
}

[[noreturn]] void refuse_word(std::string_view word, std::string_view instead) {
  throw Error(formatted("{}: hearth does not have this part of async-profiler", word), std::string(instead));
}

// Why an event cannot be sampled, by its look.
[[noreturn]] void refuse_event(std::string_view event) {
  constexpr std::string_view kThere =
      "events are cpu, cpu-clock, ctimer, itimer, wall, alloc, lock, nativemem, nativelock, page-faults, "
      "context-switches, exception, CLASS.METHOD, and the counters and probes of the action list";
  const AsprofWord* word = asprof_word(event);
  if (word != nullptr && word->kind == AsprofKind::kRefused) refuse_word(event, word->words);
  refuse_word(formatted("event {}", event), formatted("no such event, counter or function; {}", kThere));
}

class Translator {
 public:
  void read(std::string_view text);
  AsprofCommand finish();

 private:
  void set(std::string_view option, std::string value);  // the last one counts, as in async-profiler
  void set(std::string_view option) { values_of(option) = {std::nullopt}; }
  void add(std::string_view option, std::string_view value);
  Values& values_of(std::string_view option);
  bool has(std::string_view option) const;
  void read_known(const AsprofWord& word, const Value& value);
  void read_special(std::string_view word, const Value& value);
  void read_event_option(std::string_view event, const Value& value);
  void read_event(std::string_view event);
  void read_features(std::string_view list);
  void read_stacks(std::string_view style);
  void read_depth(std::string_view value);
  void ignore(std::string_view word, std::string_view why);
  void choose_output();
  void choose_events();
  void set_interval_of(std::string_view option, const EventRow& row, int64_t interval);
  bool writes_jfr() const { return output_ == "jfr"; }

  AsprofCommand command_;
  // Hearth's options in their order, each with its values; no value: the option alone.
  std::vector<std::pair<std::string, Values>> settings_;
  std::string output_;  // the format, "text", or ""
  std::string file_;
  std::optional<std::string> flat_, traces_;
  std::string main_event_;               // of event= and cpu, "": none
  ByEvent<std::optional<int64_t>> own_;  // of the events' own options; 0: the default, except of locks
  int64_t interval_ = 0;
  std::map<std::string, int64_t> limits_;
  int64_t processes_s_ = 0;  // of proc; 0: none
  bool all_ = false, is_nofree_ = false, native_roots_ = false, only_added_threads_ = false;
  std::optional<bool> total_;
};

void Translator::set(std::string_view option, std::string value) {
  values_of(option) = {std::move(value)};
}

bool Translator::has(std::string_view option) const {
  return std::any_of(settings_.begin(), settings_.end(), [&](const auto& one) { return one.first == option; });
}

Values& Translator::values_of(std::string_view option) {
  auto found = std::find_if(settings_.begin(), settings_.end(), [&](const auto& one) { return one.first == option; });
  return found != settings_.end() ? found->second : settings_.emplace_back(option, Values()).second;
}

void Translator::add(std::string_view option, std::string_view value) {
  values_of(option).emplace_back(value);
}

void Translator::ignore(std::string_view word, std::string_view why) {
  command_.ignored.push_back(formatted("{} has no effect: {}", word, why));
}

void Translator::read(std::string_view text) {
  size_t equals = text.find('=');
  std::string_view name = text.substr(0, equals);
  Value value;
  if (equals != std::string_view::npos) value = text.substr(equals + 1);
  if (const AsprofWord* word = asprof_word(name)) return read_known(*word, value);
  const OptionRow* own = option_named(name);  // hearth's own are accepted, too
  if (own == nullptr || !own->comes_by(kByAgent))
    throw Error(formatted("unknown option \"{}\"", name), "neither async-profiler nor hearth has it");
  value ? add(name, *value) : set(name);
}

void Translator::read_known(const AsprofWord& word, const Value& value) {
  switch (word.kind) {
    case AsprofKind::kAction:
      for (const auto& [name, action] : kActions)
        if (name == word.name) command_.action = action;
      return;
    case AsprofKind::kEvent:
      return read_event_option(word.name, value);
    case AsprofKind::kFormat:
      output_ = word.name;
      return;
    case AsprofKind::kText:
      output_ = "text";
      (word.name == "flat" ? flat_ : traces_) = std::string(value.value_or(kAllRows));
      return;
    case AsprofKind::kOption:
      break;
    case AsprofKind::kSpecial:
      return read_special(word.name, value);
    case AsprofKind::kIgnored:
      return ignore(word.name, word.words);
    case AsprofKind::kRefused:
      refuse_word(word.name, word.words);
  }
  const OptionRow& row = *option_named(word.name);
  if (row.takes == Takes::kNothing) return set(word.name);
  if (row.takes == Takes::kValues) return add(word.name, need(word.name, value));
  if (word.name != "log" || !value.value_or("").empty()) set(word.name, std::string(need(word.name, value)));
}

void Translator::read_event_option(std::string_view event, const Value& value) {
  if (event == "cpu") {
    if (!main_event_.empty()) throw Error("Duplicate event argument");
    main_event_ = event;
    return;
  }
  const EventRow& row = *event_row(event);
  AsprofUnits units = row.unit == "bytes" ? AsprofUnits::kBytes : AsprofUnits::kNanoseconds;
  int64_t usual = is_of_waits(row.event) ? row.usual : 0;
  own_[row.event] = value ? asprof_number(event, *value, units) : usual;
}

void Translator::read_event(std::string_view event) {
  const EventRow* row = event_row(event);
  if (row != nullptr && is_of_own_option(row->event)) {
    if (!own_[row->event]) read_event_option(event, std::nullopt);
    return;
  }
  bool is_counter = is_event_word(event) || (is_function_name(event) && asprof_word(event) == nullptr);
  if (row == nullptr && !is_counter && !names_method(event)) refuse_event(event);
  if (!main_event_.empty() && !all_) throw Error("Duplicate event argument");
  main_event_ = event;
}

void Translator::read_features(std::string_view list) {
  std::string kept;
  for (std::string_view word : parts_of(list, '+')) {
    if (word == "mixed")
      native_roots_ = true;
    else if (word == "agct")
      set("cstack", "agct");
    else if (word == "stats" || word == "jnienv")
      ignore(word, word == "stats" ? "metrics always has the time of walks" : "threads are always found without JNI");
    else if (!word.empty())
      kept += (kept.empty() ? "" : "+") + std::string(word);
  }
  if (!kept.empty()) set("features", kept);
}

// cstack=vm is the walker of both profilers; async-profiler's dwarf has been another name of it since its version 4.4.
void Translator::read_stacks(std::string_view style) {
  native_roots_ = style == "vmx" || native_roots_;
  set("cstack", std::string(style == "dwarf" ? "vm" : style));
}

void Translator::read_depth(std::string_view value) {
  constexpr int64_t kDeepest = 8192;  // of hearth
  size_t slash = value.find('/');
  int64_t depth = asprof_number("jstackdepth", value.substr(0, slash), AsprofUnits::kAny);
  std::string text = std::to_string(std::min(depth, kDeepest));
  if (slash != std::string_view::npos) {
    int64_t kept = asprof_number("jstackdepth", value.substr(slash + 1), AsprofUnits::kAny);
    text += formatted("/{}", std::min({kept, depth, kDeepest}));
  }
  set("jstackdepth", text);
}

void Translator::read_special(std::string_view word, const Value& value) {
  if (word == "event") return read_event(need(word, value));
  if (word == "interval") {
    interval_ = asprof_number(word, need(word, value), AsprofUnits::kAny);
    if (interval_ == 0) throw Error("Invalid interval", "give 1 nanosecond or more");
    return;
  }
  if (word == "trace") return add(word, need(word, value));
  if (word == "features") return read_features(need(word, value));
  if (word == "cstack") return read_stacks(need(word, value));
  if (word == "jstackdepth") return read_depth(need(word, value));
  if (word == "nofree") is_nofree_ = true;
  if (word == "all") all_ = true;
  if (word == "ratelimit") limits_ = asprof_limits(need(word, value));
  if (word == "proc") processes_s_ = value ? asprof_number(word, *value, AsprofUnits::kSeconds) : kUsualProcesses;
  if (word == "quiet") command_.is_quiet = true;
  if (word == "text") output_ = word;
  if (word == "samples" || word == "total") total_ = word == "total";
  if (word == "file") file_ = need(word, value);
  if (word == "filter") value.value_or("").empty() ? void(only_added_threads_ = true) : set(word, std::string(*value));
  if (word == "timeout" || word == "loop")
    set(word, formatted("{}", asprof_seconds(word, need(word, value), std::time(nullptr))));
  if (word == "memlimit") set(word, formatted("{}", asprof_number(word, need(word, value), AsprofUnits::kBytes)));
  if (word == "target-cpu" && value && value->substr(0, 1) != "-") set(word, std::string(*value));
  if (word == "title") {
    std::string title(need(word, value));
    constexpr std::string_view kComma = "&#44;";  // as asprof writes one
    for (size_t at; (at = title.find(kComma)) != std::string::npos;) title.replace(at, kComma.size(), ",");
    set(word, title);
  }
  if (word == "jfrsync" || word == "jfropts") {
    output_ = "jfr";
    value ? set(word, std::string(*value)) : set(word);
  }
}

// async-profiler chooses the format by the ending of the file, and text by default.
void Translator::choose_output() {
  constexpr std::pair<std::string_view, std::string_view> kEndings[] = {
      {".html", "flamegraph"}, {".jfr", "jfr"},     {".collapsed", "collapsed"}, {".folded", "collapsed"},
      {".pb.gz", "pprof"},     {".pprof", "pprof"}, {".otlp", "otlp"},           {".svg", "svg"}};
  if (output_.empty() && !file_.empty()) {
    const auto* known = std::find_if(std::begin(kEndings), std::end(kEndings),
                                     [this](const auto& one) { return ends_with(file_, one.first); });
    output_ = known == std::end(kEndings) ? "text" : known->second;
  }
  command_.has_output = !output_.empty();
  if (const AsprofWord* word = asprof_word(output_); word != nullptr && word->kind == AsprofKind::kRefused)
    refuse_word(output_, word->words);
  if (output_ == "text" && !flat_ && !traces_) {
    flat_ = kFlatInFile;
    traces_ = kTracesInFile;
  }
  if (output_ == "text") {
    if (traces_) set("traces", *traces_);
    if (flat_) set("flat", *flat_);
  } else if (!output_.empty()) {
    set(output_);
  }
  if (!file_.empty()) set("file", file_);
  if (total_) set(*total_ ? "total" : "samples");
}

void Translator::set_interval_of(std::string_view option, const EventRow& row, int64_t interval) {
  int64_t used = std::clamp(interval, row.least, row.most);
  if (used != interval)
    ignore(formatted("{}={}", option, interval), formatted("the nearest that is possible, {}, is used", used));
  set(option, std::to_string(used));
}

void Translator::choose_events() {
  if (all_) {
    for (std::string_view event : {"wall", "alloc", "lock", "nativelock"})
      if (!own_[event_row(event)->event]) read_event_option(event, std::nullopt);
    std::optional<int64_t>& native = own_[Event::kNativeMemory];
    native = native.value_or(row_of(Event::kNativeMemory).usual);
    set("live");
    if (main_event_.empty()) main_event_ = "cpu";
    if (processes_s_ == 0 && writes_jfr() && !file_.empty()) processes_s_ = kUsualProcesses;
  }
  if (processes_s_ > 0 && !writes_jfr()) throw Error("Process sampling requires JFR output format");
  for (const EventRow& row : event_rows()) {
    std::optional<int64_t> own = own_[row.event];
    if (!own) continue;
    // Zero takes every allocation of native memory, as in async-profiler, and every wait.
    bool is_usual = *own == 0 && !is_of_waits(row.event) && row.event != Event::kNativeMemory;
    is_usual ? set(row.name) : set_interval_of(row.name, row, *own);
  }
  if (is_nofree_ && own_[Event::kNativeMemory]) set("nofree");
  if (!main_event_.empty()) set("event", main_event_);
  if (interval_ == 0) return;
  const EventRow* row = event_row(main_event_.empty() || event_row(main_event_) == nullptr ? "cpu" : main_event_);
  bool is_method = names_method(main_event_) && !is_counter_name(main_event_);
  if (is_method) row = &row_of(Event::kCalls);
  bool is_of_main = !main_event_.empty();
  if (main_event_.empty() && has("trace")) return;  // counts calls
  for (const EventRow& other : event_rows()) is_of_main = is_of_main || own_[other.event];
  if (main_event_.empty() && is_of_main) return ignore("interval", "the events have intervals of their own");
  bool is_event = main_event_.empty() || event_row(main_event_) != nullptr || is_cpu_word(main_event_);
  bool is_counter = !is_event && !is_method;
  if (is_counter) return set("interval", formatted("{}", std::max(interval_, least_interval(main_event_))));
  set_interval_of("interval", *row, interval_);
}

AsprofCommand Translator::finish() {
  if (has("begin") && values_of("begin") == values_of("end"))
    throw Error("begin and end symbols should not resolve to the same address", "name two functions");
  choose_output();
  if (command_.action == AsprofAction::kNone && command_.has_output) command_.action = AsprofAction::kDump;
  choose_events();
  AsprofAction action = command_.action;
  bool is_of_session = starts(action) || action == AsprofAction::kStop || action == AsprofAction::kDump;
  std::vector<OptionSetting> chosen;
  if (std::string_view word = hearth_action(action); !word.empty()) chosen.push_back({std::string(word)});
  if (is_of_session && !has("session")) chosen.push_back({"session", std::string(kAsprofSession)});
  for (const auto& [name, values] : settings_) {
    const OptionRow& row = *option_named(name);
    // Options of sampling belong to a start.
    bool is_for_all = row.group == Group::kLog || row.group == Group::kServer;
    bool is_for_output = row.shapes_output() && is_of_session;
    if (!is_for_all && !is_for_output && !starts(action)) continue;
    for (const std::optional<std::string>& value : values) chosen.push_back({name, value});
  }
  command_.options = options_of(chosen);
  if (main_event_.empty() && has("trace")) command_.options.trace_every = std::max<int64_t>(interval_, 1);
  command_.options.native_roots = native_roots_;
  // Without cstack there are no natives between Java frames, as async-profiler has it.
  StackStyle& stacks = command_.options.stacks;
  if (stacks == StackStyle::kVm || stacks == StackStyle::kVmWithNatives)
    stacks = native_roots_ ? StackStyle::kVmWithNatives : StackStyle::kVm;
  constexpr int64_t kSecond = 1'000'000'000, kYearS = int64_t{366} * 86400;
  if (starts(action)) {
    command_.options.processes_ns = std::min(processes_s_, kYearS) * kSecond;
    command_.options.rate_limits = std::move(limits_);
  }
  command_.options.speaks_asprof = true;
  command_.options.write.has_asprof_frames = true;
  if (only_added_threads_) command_.options.filter = ThreadFilter::of_added_threads();
  return std::move(command_);
}

}  // namespace

AsprofCommand parse_asprof_command(std::string_view text) {
  Translator translator;
  for (const std::string& word : option_words(text)) translator.read(word);
  return translator.finish();
}

AsprofCommand asprof_start_command(const std::string& event, int64_t interval, bool resumes) {
  const char* action = resumes ? "resume" : "start";
  const EventRow* row = event_row(event);
  bool has_own = row != nullptr && is_of_own_option(row->event);
  if (has_own)
    return parse_asprof_command(interval > 0 ? formatted("{},{}={}", action, event, interval)
                                             : formatted("{},{}", action, event));
  return parse_asprof_command(interval > 0 ? formatted("{},event={},interval={}", action, event, interval)
                                           : formatted("{},event={}", action, event));
}

}  // namespace hearth::options
