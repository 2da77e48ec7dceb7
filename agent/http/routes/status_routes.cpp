#include <chrono>
#include <memory>
#include <mutex>

#include "commands/command_replies.h"
#include "commands/sessions/session_choice.h"
#include "http/routes/json_reply.h"
#include "http/routes/process_times.h"
#include "http/routes/routes.h"
#include "http/routes/store_json.h"
#include "profile/model/quality.h"

namespace hearth::http {
namespace {

double share(int64_t part, int64_t whole) {
  return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0;
}

nlohmann::json session_json(const commands::SessionFigures& session) {
  const profile::Quality& quality = session.quality;
  bool is_private = commands::is_private(session.name);
  return {{"session", session.number},
          {"name", is_private ? "" : session.name},
          {"private", is_private},
          {"state", session.running ? "running" : "stopped"},
          {"event", session.event},
          {"paused", session.paused},
          {"engine", quality.engine},
          {"duration_ns", session.duration_ns},
          {"samples", quality.samples},
          {"lost", quality.lost},
          {"lost_weights", session.lost_weights},
          {"overhead", share(quality.own_cpu_ns, session.duration_ns)},
          {"quality", profile::quality_json(quality)}};
}

// The status of all clients, read a few times a second at most: the profiler holds its lock meanwhile and reads every
// thread. Read again at once after a request that changes something, and when a session starts or ends.
class Status {
 public:
  // A JVM's facts do not change, and reading them attaches the thread.
  explicit Status(RouteContext* context) : context_(context), jvm_(context->profiler->jvm()) {}

  Reply reply() {
    std::lock_guard<std::mutex> lock(mutex_);
    Clock::time_point now = Clock::now();
    uint64_t changes = context_->changes->load() + context_->profiler->session_changes();
    if (now >= old_ || changes != changes_) {
      text_ = text();
      old_ = now + kLife;
      changes_ = changes;
    }
    return {200, "application/json", text_};
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::milliseconds kLife{50};

  std::string text() const {
    nlohmann::json sessions = nlohmann::json::array();
    for (const commands::SessionFigures& session : context_->profiler->figures())
      sessions.push_back(session_json(session));
    std::optional<always_on::AlwaysOnFigures> always_on = context_->profiler->always_on();
    ProcessTimes times = process_times();
    return json_reply({{"version", HEARTH_VERSION},
                       {"jvm",
                        {{"pid", jvm_.pid},
                         {"runtime", jvm_.runtime},
                         {"main", jvm_.main},
                         {"uptime_ns", times.uptime_ns},
                         {"cpu_ns", times.cpu_ns}}},
                       {"http", context_->address},
                       {"store", profiles_json()},
                       {"always_on", always_on ? store_json(*always_on) : nlohmann::json()},
                       {"sessions", sessions},
                       {"sampled_for_pprof", context_->profiler->window_events()}})
        .body;
  }

  nlohmann::json profiles_json() const {
    StoreFigures store = context_->store->figures();
    const options::StoreLimits& limits = context_->store->limits();
    return {{"profiles", store.profiles},
            {"bytes", store.bytes},
            {"keep_profiles", limits.count},
            {"keep_bytes", limits.bytes},
            {"dropped", store.dropped}};
  }

  RouteContext* context_;
  const commands::JvmFacts jvm_;
  std::mutex mutex_;
  Clock::time_point old_{};
  uint64_t changes_ = 0;
  std::string text_;
};

Reply metrics(RouteContext* context) {
  StoreFigures store = context->store->figures();
  commands::AgentFigures figures;
  figures.memory_bytes["server"] = context->buffered->requests.load() + context->buffered->replies.load();
  figures.store = {store.profiles, store.bytes, store.dropped};
  return {200, "text/plain; version=0.0.4; charset=utf-8", context->profiler->metrics(figures)};
}

nlohmann::json json_of(const std::vector<commands::ListedEvent>& listed) {
  nlohmann::json events = nlohmann::json::array();
  for (const commands::ListedEvent& event : listed) events.push_back({{"name", event.name}, {"about", event.about}});
  return events;
}

// Values of the option event.
Reply events(const Request&) {
  return json_reply(
      {{"events", json_of(commands::listed_events())}, {"counters", json_of(commands::listed_counters())}});
}

}  // namespace

void add_status_routes(RouteContext* context, Router* router) {
  auto status = std::make_shared<Status>(context);
  router->add({"GET", "/api/status", [status](const Request&) { return status->reply(); }});
  router->add({"GET", "/api/events", events});
  router->add({"GET", "/metrics", [context](const Request&) { return metrics(context); }});
}

}  // namespace hearth::http
