#include "http/routes/profile_formats.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/formatted.h"
#include "profile/model/quality.h"
#include "profile/model/shown_samples.h"
#include "profile/model/stack_filter.h"

namespace hearth::http {
namespace {

using profile::Format;

constexpr std::string_view kText = "text/plain; charset=utf-8";
constexpr ResponseFormat kFormats[] = {
    {"html", ".html", "text/html; charset=utf-8", Format::kFlameGraph},
    {"collapsed", ".collapsed", kText, Format::kCollapsed},
    {"pprof", ".pb.gz", "application/octet-stream", Format::kPprof},
    {"otlp", ".otlp", "application/x-protobuf", Format::kOtlp},
    {"jfr", ".jfr", "application/x-jfr", Format::kJfr},
    {"flat", "", kText, Format::kFlat},
    {"traces", "", kText, Format::kTraces},
    {"json", ".json", "application/json", std::nullopt},
};
constexpr std::pair<std::string_view, std::string_view> kAlso[] = {
    {"flamegraph", "html"}, {"pb.gz", "pprof"}, {"folded", "collapsed"}};

// The page runs its own script and nothing else (its own policy has the hashes), apart from the console's origin.
constexpr const char* kPagePolicy =
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; "
    "worker-src blob:; frame-ancestors 'self'; sandbox allow-scripts allow-downloads";

constexpr const char* kKinds[profile::kFrameKinds] = {"interpreted", "c1",   "jit",    "inlined", "native", "cpp",
                                                      "kernel",      "stub", "thread", "marker",  "class"};

std::string text_of(const nlohmann::json& value) {
  return value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string labels_text(const profile::LabelSet& labels) {
  nlohmann::json all = nlohmann::json::object();
  for (const profile::Label& label : labels) {
    if (label.text.empty())
      all[label.key] = label.number;
    else
      all[label.key] = label.text;
  }
  return text_of(all);
}

template <typename Numbers>
void append_numbers(const Numbers& begin, const Numbers& end, std::string* text) {
  *text += '[';
  for (Numbers at = begin; at != end; ++at) {
    if (at != begin) *text += ',';
    *text += std::to_string(*at);
  }
  *text += ']';
}

void append_samples(const profile::Profile& profile, const std::vector<bool>& shown, std::string* text) {
  std::vector<profile::FunctionId> stack;
  const char* separator = "";
  for (size_t i = 0; i < profile.sample_count(); i++) {
    const profile::Profile::Sample& sample = profile.sample(i);
    if (!shown[sample.stack]) continue;
    *text += separator;
    separator = ",";
    stack.clear();
    for (profile::NodeId node = sample.stack; node != 0; node = profile.nodes()[node].parent)
      stack.push_back(profile.function_of(node));
    *text += "{\"stack\":";
    append_numbers(stack.rbegin(), stack.rend(), text);
    *text += ",\"values\":";
    append_numbers(profile.values(i), profile.values(i) + profile.value_types.size(), text);
    if (sample.time != profile::kNoTime && profile.metadata.time_step_ns > 0)
      *text += formatted(",\"time_ns\":{}", sample.time * profile.metadata.time_step_ns);
    if (sample.labels != 0) *text += ",\"labels\":" + labels_text(profile.label_sets()[sample.labels]);
    *text += '}';
  }
}

}  // namespace

const ResponseFormat& format_of(std::string_view word) {
  for (const auto& [other, usual] : kAlso) {
    if (word == other) word = usual;
  }
  for (const ResponseFormat& format : kFormats) {
    if (word == format.word) return format;
  }
  constexpr const char* kAccepted = "accepted: html, collapsed, pprof, jfr, otlp, flat, traces, json";
  if (std::string foreign = profile::foreign_format_named(word); !foreign.empty())
    throw Refusal(400, "bad_option", formatted("format: hearth does not write {}", foreign), kAccepted);
  throw Refusal(400, "bad_option", formatted("format: cannot use \"{}\"", word), kAccepted);
}

std::pair<std::string, const ResponseFormat*> id_and_format(const std::string& name) {
  for (const ResponseFormat& format : kFormats) {
    size_t ending = format.ending.size();
    if (ending == 0 || name.size() <= ending || name.compare(name.size() - ending, ending, format.ending) != 0)
      continue;
    return {name.substr(0, name.size() - ending), &format};
  }
  return {name, nullptr};
}

std::pair<std::string, const ResponseFormat*> id_and_text_format(const std::string& name) {
  constexpr std::string_view kEnding = ".txt";
  if (name.size() > kEnding.size() && name.compare(name.size() - kEnding.size(), kEnding.size(), kEnding) == 0)
    return {name.substr(0, name.size() - kEnding.size()), &format_of("collapsed")};
  auto [id, format] = id_and_format(name);
  return {id, format == nullptr ? &format_of("json") : format};
}

Reply profile_reply(std::string text, const ResponseFormat& format) {
  Reply reply{200, std::string(format.type), std::move(text)};
  if (format.format == Format::kFlameGraph)
    reply.headers = {{"Content-Security-Policy", kPagePolicy}, {"X-Frame-Options", "SAMEORIGIN"}};
  return reply;
}

Reply profile_reply(const profile::Profile& profile, const ResponseFormat& format,
                    const profile::WriteOptions& options) {
  try {
    if (format.format) return profile_reply(profile::write(profile, *format.format, options), format);
    if (options.labels.empty()) return profile_reply(write_json(profile, options), format);
    return profile_reply(write_json(profile::only_labelled(profile, options.labels), options), format);
  } catch (const profile::FormatError& error) {
    throw Refusal(400, "bad_option", error.what(), "GET /api/profiles/ID.json lists a profile's events and labels");
  }
}

// Frames and samples as text at once: as values of the JSON library they would take ten times the memory.
std::string write_json(const profile::Profile& profile, const profile::WriteOptions& options) {
  nlohmann::json values = nlohmann::json::array();
  for (size_t i = 0; i < profile.value_types.size(); i++) {
    std::optional<uint64_t> samples = profile::samples_with(profile, i);
    values.push_back({{"type", profile.value_types[i].type},
                      {"unit", profile.value_types[i].unit},
                      {"interval", profile::interval_of(profile, i)},
                      {"samples", samples ? nlohmann::json(*samples) : nlohmann::json()}});
  }
  std::string text = text_of({{"title", options.title.empty() ? profile.metadata.title : options.title},
                              {"event", profile.metadata.event},
                              {"runtime", profile.metadata.runtime},
                              {"start_unix_ms", profile.metadata.start_unix_ns / 1'000'000},
                              {"duration_ns", profile.metadata.duration_ns},
                              {"time_step_ns", profile.metadata.time_step_ns},
                              {"values", values},
                              {"quality", profile::quality_json(profile.quality)}});
  text.pop_back();
  text += ",\"frames\":[";
  for (size_t i = 0; i < profile.functions().size(); i++) {
    const profile::Function& function = profile.functions()[i];
    text += i == 0 ? "" : ",";
    text += text_of({{"name", profile.text(function.name)}, {"kind", kKinds[static_cast<size_t>(function.kind)]}});
  }
  text += "],\"samples\":[";
  append_samples(profile, profile::shown_stacks(profile, options), &text);
  text += "]}\n";
  return text;
}

}  // namespace hearth::http
