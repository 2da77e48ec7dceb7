#include "commands/metrics_text.h"

#include <algorithm>
#include <map>
#include <string_view>

#include "base/formatted.h"
#include "commands/sessions/session_choice.h"
#include "profile/model/event_kinds.h"
#include "profile/model/event_view.h"

namespace hearth::commands {
namespace {

std::string label(std::string_view name, std::string_view value) {
  std::string text = formatted("{}=\"", name);
  for (char c : value) {
    if (c == '\\' || c == '"') text += '\\';
    if (c == '\n')
      text += "\\n";
    else
      text += c;
  }
  return text + '"';
}

class MetricsWriter {
 public:
  // Labels of the samples that follow.
  void set_labels(std::string labels) { labels_ = std::move(labels); }
  // Begins a family's samples, with its two comment lines when it is new.
  void family(std::string_view name, std::string_view type, std::string_view help) {
    auto known = std::find_if(families_.begin(), families_.end(), [&](const Family& one) { return one.name == name; });
    family_ = static_cast<size_t>(known - families_.begin());
    if (known == families_.end())
      families_.push_back({name, formatted("# HELP {} {}\n# TYPE {} {}\n", name, help, name, type)});
  }
  template <typename Number>
  void sample(Number value) {
    line("", labels_, value);
  }
  template <typename Number>
  void sample(std::string_view labels, Number value) {
    line("", labels_.empty() ? std::string(labels) : formatted("{},{}", labels_, labels), value);
  }
  template <typename Number>
  void single(std::string_view name, std::string_view type, std::string_view help, Number value) {
    family(name, type, help);
    sample(value);
  }
  void by_word(std::string_view name, std::string_view word_label, std::string_view help,
               const std::map<std::string, uint64_t>& counts) {
    if (counts.empty()) return;
    family(name, "counter", help);
    for (const auto& [word, count] : counts) sample(label(word_label, word), count);
  }
  void summary(std::string_view name, std::string_view help, int64_t p50, int64_t p99, int64_t mean, uint64_t count) {
    family(name, "summary", help);
    sample(label("quantile", "0.5"), seconds(p50));
    sample(label("quantile", "0.99"), seconds(p99));
    line("_sum", labels_, seconds(mean) * static_cast<double>(count));
    line("_count", labels_, count);
  }
  static double seconds(int64_t ns) { return static_cast<double>(ns) / 1e9; }
  std::string text() const {
    std::string text;
    for (const Family& one : families_) text += one.text;
    return text;
  }

 private:
  struct Family {
    std::string_view name;
    std::string text;
  };

  template <typename Number>
  void line(std::string_view ending, const std::string& labels, Number value) {
    Family& family = families_[family_];
    std::string braced = labels.empty() ? "" : "{" + labels + "}";
    family.text += formatted("{}{}{} {}\n", family.name, ending, braced, value);
  }

  std::vector<Family> families_;
  size_t family_ = 0;
  std::string labels_;
};

void write_lost(const std::map<std::string, int64_t>& weights, MetricsWriter* out) {
  auto unit_of = [](const std::string& event) { return std::string_view(profile::kind_of_event(event).unit); };
  auto has = [&](std::string_view unit) {
    return std::any_of(weights.begin(), weights.end(), [&](const auto& one) { return unit_of(one.first) == unit; });
  };
  if (has("nanoseconds")) out->family("hearth_lost_seconds_total", "counter", "Time of lost samples, by event.");
  for (const auto& [event, ns] : weights)
    if (unit_of(event) == "nanoseconds") out->sample(label("lost", event), MetricsWriter::seconds(ns));
  if (has("count")) out->family("hearth_lost_events_total", "counter", "Events of lost samples, by event.");
  for (const auto& [event, count] : weights)
    if (unit_of(event) == "count") out->sample(label("lost", event), count);
  auto bytes = weights.find(profile::kAllocEvent);
  if (bytes != weights.end())
    out->single("hearth_lost_bytes_total", "counter", "Allocated bytes of lost samples.", bytes->second);
}

double ratio(int64_t part, int64_t whole) {
  return static_cast<double>(part) / static_cast<double>(whole);
}

void write_allocations(const SessionFigures& session, MetricsWriter* out) {
  const profile::Quality& quality = session.quality;
  if (quality.allocated_bytes > 0)
    out->single("hearth_allocated_bytes_total", "counter", "Bytes allocated, by the JVM's own count.",
                quality.allocated_bytes);
  if (quality.allocated_bytes > 0 && session.duration_ns > 0)
    out->single("hearth_allocated_bytes_per_second", "gauge", "Bytes allocated a second, since the session began.",
                static_cast<double>(quality.allocated_bytes) / MetricsWriter::seconds(session.duration_ns));
  if (quality.allocated_bytes == 0 && quality.sampled_bytes == 0) return;
  out->single("hearth_sampled_bytes_total", "counter", "Allocated bytes, estimated from samples.",
              quality.sampled_bytes);
  out->single("hearth_gc_pauses_total", "counter", "Pauses of the JVM for its collector.", quality.gc_pauses);
  out->single("hearth_gc_pause_seconds_total", "counter", "Time of these pauses.",
              MetricsWriter::seconds(quality.gc_pause_ns));
  out->single("hearth_gc_cpu_seconds_total", "counter", "CPU time of the collector.",
              MetricsWriter::seconds(quality.gc_cpu_ns));
  if (session.duration_ns > 0)
    out->single("hearth_gc_pause_ratio", "gauge", "Pauses among the session's time, 0 to 1.",
                ratio(quality.gc_pause_ns, session.duration_ns));
  if (quality.process_cpu_ns > 0)
    out->single("hearth_gc_cpu_ratio", "gauge", "The collector's among the process's CPU time, 0 to 1.",
                ratio(quality.gc_cpu_ns, quality.process_cpu_ns));
}

void write_session(const SessionFigures& session, MetricsWriter* out) {
  const profile::Quality& quality = session.quality;
  out->family("hearth_session_info", "gauge", "The session's event, and the engine that samples it.");
  out->sample(label("engine", quality.engine), 1);
  out->single("hearth_session_duration_seconds", "gauge", "How long the session has run.",
              MetricsWriter::seconds(session.duration_ns));
  out->single("hearth_samples_total", "counter", "Samples recorded.", quality.samples);
  out->single("hearth_samples_lost_total", "counter", "Samples lost because a buffer was full.", quality.lost);
  write_lost(session.lost_weights, out);
  write_allocations(session, out);
  out->single("hearth_java_samples_total", "counter", "Samples of threads with Java frames.", quality.java_samples);
  out->single("hearth_whole_stacks_total", "counter",
              "Samples of threads with Java frames with a stack that reached the thread's root.", quality.whole);
  if (quality.java_samples > 0)
    out->single("hearth_whole_stacks_ratio", "gauge", "Whole stacks among the samples with Java frames, 0 to 1.",
                static_cast<double>(quality.whole) / static_cast<double>(quality.java_samples));
  out->by_word("hearth_walk_failures_total", "reason", "Stacks that could not be walked to the end, by reason.",
               quality.failures);
  out->single("hearth_walks_recovered_total", "counter", "Stacks that a second try could walk.", quality.recovered);
  out->single("hearth_stacks_truncated_total", "counter", "Stacks deeper than jstackdepth.", quality.truncated);
  out->by_word("hearth_samples_without_symbols_total", "library", "Samples in code without symbols, by library.",
               quality.without_symbols);
  uint64_t timed = quality.samples + quality.lost;
  out->summary("hearth_handler_seconds", "Time of a sample in the signal handler.", quality.handler_ns_p50,
               quality.handler_ns_p99, quality.handler_ns_mean, timed);
  out->summary("hearth_walk_seconds", "Time of a stack walk, which is a part of the handler's.", quality.walk_ns_p50,
               quality.walk_ns_p99, quality.walk_ns_mean, timed);
  out->single("hearth_own_cpu_seconds_total", "counter", "CPU time that the profiling itself took.",
              MetricsWriter::seconds(quality.own_cpu_ns));
  if (quality.threads_cpu_ns > 0)
    out->single("hearth_threads_cpu_seconds_total", "counter", "CPU time of the profiled threads by their own clocks.",
                MetricsWriter::seconds(quality.threads_cpu_ns));
}

void write_always_on(const always_on::AlwaysOnFigures& store, MetricsWriter* out) {
  out->single("hearth_always_on_windows_total", "counter", "Windows that the always-on store has written.",
              store.written);
  out->single("hearth_always_on_windows_lost_total", "counter", "Windows that could not be written.", store.lost);
  out->single("hearth_always_on_bytes", "gauge", "Bytes of the store on the disk.", store.bytes);
  out->single("hearth_always_on_keep_bytes", "gauge", "Limit of these bytes.", store.keep_bytes);
  out->single("hearth_always_on_cost_ratio", "gauge", "Cost of always-on profiling, as a part of one CPU, 0 to 1.",
              store.cost);
  out->single("hearth_always_on_budget_ratio", "gauge", "Limit of this cost.", store.budget);
  out->single("hearth_always_on_slowdown", "gauge", "Factor by which its rates are lower than requested.",
              store.slowdown);
}

void write_agent(const AgentFigures& agent, MetricsWriter* out) {
  out->single("hearth_shared_sessions", "gauge", "Sessions that run for clients of the pprof endpoints.",
              agent.shared_sessions);
  if (!agent.memory_bytes.empty())
    out->family("hearth_memory_bytes", "gauge", "Memory that the profiler takes, by part.");
  for (const auto& [part, bytes] : agent.memory_bytes) out->sample(label("part", part), bytes);
  if (agent.always_on) write_always_on(*agent.always_on, out);
  if (!agent.store) return;
  out->single("hearth_store_profiles", "gauge", "Profiles in the store.", agent.store->profiles);
  out->single("hearth_store_bytes", "gauge", "Bytes of these profiles on the disk.", agent.store->bytes);
  out->single("hearth_store_dropped_total", "counter", "Profiles dropped because of the limits.", agent.store->dropped);
}

}  // namespace

std::string metrics_text(const std::vector<SessionFigures>& sessions, const AgentFigures& agent) {
  MetricsWriter out;
  out.family("hearth_build_info", "gauge", "The agent's version.");
  out.sample(label("version", HEARTH_VERSION), 1);
  auto running = [](const SessionFigures& one) { return one.running; };
  out.single("hearth_session_running", "gauge", "1 while a session runs.",
             std::any_of(sessions.begin(), sessions.end(), running) ? 1 : 0);
  auto of_client = [](const SessionFigures& one) { return one.running && is_private(one.name); };
  out.single("hearth_client_sessions", "gauge",
             "Sessions of clients that wait for their profiles; they have no other figures here.",
             std::count_if(sessions.begin(), sessions.end(), of_client));
  write_agent(agent, &out);
  for (const SessionFigures& one : sessions) {
    if (!one.running || is_private(one.name)) continue;
    std::string event = label("event", one.event);
    out.set_labels(one.name.empty() ? event : event + "," + label("name", one.name));
    write_session(one, &out);
  }
  return out.text();
}

}  // namespace hearth::commands
