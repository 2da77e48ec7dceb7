#include "options/option_setters.h"

#include <algorithm>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <iterator>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/formatted.h"
#include "base/text_parts.h"
#include "options/event_options.h"
#include "options/http_address.h"
#include "options/option_values.h"
#include "options/store_options.h"

namespace hearth::options {
namespace {

template <Action kAction>
void set_action(Options* options, std::string_view, const OptionRow& option) {
  if (options->action != Action::kNone && options->action != kAction)
    throw Error(formatted("option {}: another action was given before it", option.name), "give one action at a time");
  options->action = kAction;
}

template <bool Options::*kMember>
void set_flag(Options* options, std::string_view, const OptionRow&) {
  options->*kMember = true;
}

template <bool profile::WriteOptions::*kMember>
void set_write_flag(Options* options, std::string_view, const OptionRow&) {
  options->write.*kMember = true;
}

template <profile::Format kFormat>
void add_format(Options* options, std::string_view, const OptionRow&) {
  options->formats.push_back(kFormat);
}

constexpr int64_t kMostLines = 1'000'000'000;

void set_flat(Options* options, std::string_view value, const OptionRow& option) {
  options->formats.push_back(profile::Format::kFlat);
  if (!value.empty()) options->flat_limit = static_cast<int>(parse_whole(value, 1, kMostLines, option));
}

void set_traces(Options* options, std::string_view value, const OptionRow& option) {
  options->formats.push_back(profile::Format::kTraces);
  if (!value.empty()) options->traces_limit = static_cast<int>(parse_whole(value, 1, kMostLines, option));
}

void set_stacks(Options* options, std::string_view value, const OptionRow& option) {
  constexpr std::pair<std::string_view, StackStyle> kStyles[] = {
      {"vm", StackStyle::kVm},          {"vmx", StackStyle::kVmWithNatives}, {"agct", StackStyle::kAsyncGetCallTrace},
      {"dwarf", StackStyle::kDwarf},    {"fp", StackStyle::kFramePointer},   {"no", StackStyle::kNoNatives},
      {"compare", StackStyle::kCompare}};
  for (const auto& [name, style] : kStyles) {
    if (value != name) continue;
    options->stacks = style;
    return;
  }
  refuse(option, value);
}

void set_depth(Options* options, std::string_view value, const OptionRow& option) {
  constexpr int64_t kDeepest = 8192;
  size_t slash = value.find('/');
  int64_t depth = parse_whole(value.substr(0, slash), 1, kDeepest, option);
  int64_t kept = slash == std::string_view::npos ? depth : parse_whole(value.substr(slash + 1), 1, depth, option);
  options->java_depth = static_cast<uint32_t>(depth);
  options->java_kept = static_cast<uint32_t>(kept);
}

constexpr std::pair<std::string_view, bool Options::*> kFeatures[] = {
    {"pcaddr", &Options::pc_addresses}, {"vtable", &Options::receivers}, {"comptask", &Options::compilations}};

void set_features(Options* options, std::string_view value, const OptionRow& option) {
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

void set_filter(Options* options, std::string_view value, const OptionRow&) {
  options->filter = ThreadFilter(value);
}

void set_timeout(Options* options, std::string_view value, const OptionRow& option) {
  options->timeout_ns = parse_timeout_ns(value, option);
}

void set_loop(Options* options, std::string_view value, const OptionRow& option) {
  options->loop_ns = parse_timeout_ns(value, option);
}

void set_target_cpu(Options* options, std::string_view value, const OptionRow& option) {
  constexpr int64_t kMostCpus = 1 << 16;
  options->target_cpu = static_cast<int>(parse_whole(value, 0, kMostCpus, option));
}

// "27", or "27/30" for CPU time and wall time.
void set_signal(Options* options, std::string_view value, const OptionRow& option) {
  constexpr int64_t kLastSignal = 64;
  // The JVM and its child processes depend on these, although none has a handler.
  constexpr int kNever[] = {SIGABRT, SIGCHLD, SIGCONT};
  auto signal_of = [&](std::string_view text) {
    int number = static_cast<int>(parse_whole(text, 1, kLastSignal, option));
    if (std::find(std::begin(kNever), std::end(kNever), number) != std::end(kNever)) refuse(option, value);
    return number;
  };
  size_t slash = value.find('/');
  options->cpu_signal = signal_of(value.substr(0, slash));
  if (slash != std::string_view::npos) options->wall_signal = signal_of(value.substr(slash + 1));
}

void set_memory_limit(Options* options, std::string_view value, const OptionRow& option) {
  constexpr int64_t kLeast = 1 << 20, kMost = 256 << 20;
  int64_t bytes = parse_bytes(value, option);
  if (bytes < kLeast) refuse(option, value);
  options->memory_limit = std::min(bytes, kMost);
}

void set_tree(Options* options, std::string_view, const OptionRow&) {
  options->formats.push_back(profile::Format::kFlameGraph);
  options->write.opens_tree = true;
}

void set_chunk_size(Options* options, std::string_view value, const OptionRow& option) {
  constexpr int64_t kLeast = 256 << 10;
  options->chunk_bytes = parse_bytes(value, option);
  if (options->chunk_bytes < kLeast) refuse(option, value);
}

void set_chunk_time(Options* options, std::string_view value, const OptionRow& option) {
  options->chunk_ns = parse_timeout_ns(value, option);
}

void set_clock(Options* options, std::string_view value, const OptionRow& option) {
  if (value != "monotonic" && value != "tsc") refuse(option, value);
  options->clock = value == "tsc" ? RecordingClock::kTsc : RecordingClock::kMonotonic;
}

void set_jfr_sync(Options* options, std::string_view value, const OptionRow& option) {
  if (value == "+") refuse(option, value);
  options->jfr_sync = value.empty() ? option.usual : value;
}

void set_jfr_options(Options* options, std::string_view value, const OptionRow& option) {
  constexpr int64_t kMost = kNoSystem | kNoProperties | kNoLibraries | kNoCpuLoad | kNoHeap;
  if (value != "mem") options->jfr_omits = static_cast<uint32_t>(parse_whole(value, 0, kMost, option));
}

void set_minwidth(Options* options, std::string_view value, const OptionRow& option) {
  std::string text(value);
  char* end = nullptr;
  double percent = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0' || !(percent >= 0 && percent <= 100)) refuse(option, value);
  options->write.minwidth = percent;
}

void add_transform(Options* options, std::string_view value, const OptionRow& option) {
  read_value(option.name, [&] { options->write.transforms.push_back(profile::transform_of_text(value)); });
}

void add_highlight(Options* options, std::string_view value, const OptionRow& option) {
  read_value(option.name, [&] { profile::add_highlight(value, &options->write.highlights); });
}

void set_sort(Options* options, std::string_view value, const OptionRow& option) {
  if (value != "name" && value != "width") refuse(option, value);
  options->write.sort_by_width = value == "width";
}

void set_log_level(Options* options, std::string_view value, const OptionRow& option) {
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
void set_path(Options* options, std::string_view value, const OptionRow& option) {
  if (value.empty()) refuse(option, value);
  options->*kMember = value;
}

void set_http(Options* options, std::string_view value, const OptionRow& option) {
  parse_http_address(value, option);
  options->http = value;
}

void set_session(Options* options, std::string_view value, const OptionRow& option) {
  constexpr size_t kMost = 64;
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
  if (value.empty() || value.size() > kMost || value.find_first_not_of(kLetters) != std::string_view::npos)
    refuse(option, value);
  options->session = value;
}

void set_holders(Options* options, std::string_view value, const OptionRow& option) {
  constexpr size_t kMost = 20;
  constexpr int kHex = 16;
  set_action<Action::kHolders>(options, {}, option);
  for (std::string_view part : value.empty() ? std::vector<std::string_view>() : parts_of(value, '+')) {
    uint64_t site = 0;
    auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), site, kHex);
    if (error != std::errc() || end != part.data() + part.size() || options->sites.size() == kMost)
      refuse(option, value);
    options->sites.push_back(site);
  }
}

void set_keep(Options* options, std::string_view value, const OptionRow& option) {
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

struct Setter {
  std::string_view name;
  SetOption apply;
};

// clang-format off
constexpr Setter kSetters[] = {
    {"start", set_action<Action::kStart>},
    {"stop", set_action<Action::kStop>},
    {"pause", set_action<Action::kPause>},
    {"resume", set_action<Action::kResume>},
    {"dump", set_action<Action::kDump>},
    {"status", set_action<Action::kStatus>},
    {"metrics", set_action<Action::kMetrics>},
    {"list", set_action<Action::kList>},
    {"version", set_action<Action::kVersion>},
    {"heap-holders", set_holders},
    {"stop-http", set_action<Action::kStopHttp>},
    {"event", set_event},
    {"interval", set_main_interval},
    {"wall", set_own_event},
    {"alloc", set_own_event},
    {"exact", set_exact},
    {"live", set_live},
    {"tlab", set_tlab},
    {"lock", set_own_event},
    {"nativelock", set_own_event},
    {"nativemem", set_own_event},
    {"io", set_own_event},
    {"redact", set_redact},
    {"nofree", set_nofree},
    {"messages", set_messages},
    {"trace", set_trace},
    {"jstackdepth", set_depth},
    {"features", set_features},
    {"cstack", set_stacks},
    {"show-profiler", set_flag<&Options::show_profiler>},
    {"alluser", set_flag<&Options::user_code_only>},
    {"record-cpu", set_flag<&Options::record_cpu>},
    {"target-cpu", set_target_cpu},
    {"signal", set_signal},
    {"memlimit", set_memory_limit},
    {"nostop", set_flag<&Options::nostop>},
    {"loop", set_loop},
    {"tree", set_tree},
    {"filter", set_filter},
    {"begin", set_path<&Options::begin>},
    {"end", set_path<&Options::end>},
    {"ttsp", set_flag<&Options::ttsp>},
    {"session", set_session},
    {"store", set_store},
    {"window", set_window},
    {"budget", set_budget},
    {"on", set_on},
    {"freeze", set_freeze},
    {"push", set_push},
    {"push-labels", set_push_labels},
    {"push-token", set_path<&Options::push_token>},
    {"publish-context", set_flag<&Options::publish_context>},
    {"push-ca", set_path<&Options::push_ca>},
    {"push-credentials", set_path<&Options::push_credentials>},
    {"push-tenant", set_push_tenant},
    {"from", set_path<&Options::from>},
    {"to", set_path<&Options::to>},
    {"timeout", set_timeout},
    {"chunksize", set_chunk_size},
    {"chunktime", set_chunk_time},
    {"clock", set_clock},
    {"jfropts", set_jfr_options},
    {"jfrsync", set_jfr_sync},
    {"file", set_path<&Options::file>},
    {"collapsed", add_format<Format::kCollapsed>},
    {"flamegraph", add_format<Format::kFlameGraph>},
    {"pprof", add_format<Format::kPprof>},
    {"jfr", add_format<Format::kJfr>},
    {"otlp", add_format<Format::kOtlp>},
    {"flat", set_flat},
    {"traces", set_traces},
    {"samples", [](Options* o, std::string_view, const OptionRow&) { o->write.lens = profile::Lens::kSamples; }},
    {"total", [](Options* o, std::string_view, const OptionRow&) { o->write.lens = profile::Lens::kTotal; }},
    {"threads", set_flag<&Options::threads>},
    {"simple", set_flag<&Options::simple_names>},
    {"norm", set_flag<&Options::normalize>},
    {"sig", set_flag<&Options::signatures>},
    {"ann", set_write_flag<&WriteOptions::annotate>},
    {"lines", set_write_flag<&WriteOptions::lines>},
    {"lib", set_flag<&Options::library_names>},
    {"dot", set_flag<&Options::dots>},
    {"include", [](Options* o, std::string_view v, const OptionRow&) { o->write.include.emplace_back(v); }},
    {"exclude", [](Options* o, std::string_view v, const OptionRow&) { o->write.exclude.emplace_back(v); }},
    {"title", [](Options* o, std::string_view v, const OptionRow&) { o->write.title = v; }},
    {"minwidth", set_minwidth},
    {"transform", add_transform},
    {"highlight", add_highlight},
    {"sort", set_sort},
    {"reverse", set_write_flag<&WriteOptions::reverse>},
    {"inverted", set_write_flag<&WriteOptions::inverted>},
    {"clojure", [](Options* o, std::string_view v, const OptionRow& e) { o->clojure = parse_switch(v, e); }},
    {"http", set_http},
    {"token", set_path<&Options::token_file>},
    {"keep", set_keep},
    {"loglevel", set_log_level},
    {"log", set_path<&Options::log_file>},
    {"quiet", set_flag<&Options::quiet>},
    {"reply", set_path<&Options::reply>},
};
// clang-format on

}  // namespace

SetOption setter_of(std::string_view name) {
  const Setter* found = std::find_if(std::begin(kSetters), std::end(kSetters),
                                     [name](const Setter& setter) { return setter.name == name; });
  if (found == std::end(kSetters)) throw std::logic_error(formatted("option {} has no setter", name));
  return found->apply;
}

}  // namespace hearth::options
