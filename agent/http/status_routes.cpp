#include <chrono>
#include <memory>
#include <mutex>

#include "http/json_reply.h"
#include "http/process_times.h"
#include "http/routes.h"
#include "http/store_json.h"
#include "profile/quality.h"
#include "session/answers.h"

namespace hearth::http {
namespace {

double share(int64_t part, int64_t whole) {
  return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0;
}

nlohmann::json session_json(const session::SessionFigures& session) {
  const profile::Quality& quality = session.quality;
  return {{"session", session.number},
          {"name", session.name},
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

// However many clients ask, the profiler is asked a few times a second: it holds its lock meanwhile, and looks at every
// thread. What a request changed, and that a session began or ended, is told at once.
class Status {
 public:
  // What a JVM is does not change; asking it would attach the thread.
  explicit Status(Room* room) : room_(room), jvm_(room->target->jvm()) {}

  Reply reply() {
    std::lock_guard<std::mutex> lock(mutex_);
    Clock::time_point now = Clock::now();
    uint64_t changes = room_->changes->load() + room_->target->session_changes();
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
    for (const session::SessionFigures& session : room_->target->figures()) sessions.push_back(session_json(session));
    std::optional<session::AlwaysOnFigures> always_on = room_->target->always_on();
    ProcessTimes times = process_times();
    return json_reply({{"version", HEARTH_VERSION},
                       {"jvm",
                        {{"pid", jvm_.pid},
                         {"runtime", jvm_.runtime},
                         {"main", jvm_.main},
                         {"uptime_ns", times.uptime_ns},
                         {"cpu_ns", times.cpu_ns}}},
                       {"http", room_->address},
                       {"store", profiles_json()},
                       {"always_on", always_on ? store_json(*always_on) : nlohmann::json()},
                       {"sessions", sessions},
                       {"sampled_for_pprof", room_->target->events_for_windows()}})
        .body;
  }

  nlohmann::json profiles_json() const {
    StoreFigures store = room_->store->figures();
    const session::StoreLimits& limits = room_->store->limits();
    return {{"profiles", store.profiles},
            {"bytes", store.bytes},
            {"keep_profiles", limits.count},
            {"keep_bytes", limits.bytes},
            {"dropped", store.dropped}};
  }

  Room* room_;
  const JvmFacts jvm_;
  std::mutex mutex_;
  Clock::time_point old_{};
  uint64_t changes_ = 0;
  std::string text_;
};

Reply metrics(Room* room) {
  StoreFigures store = room->store->figures();
  session::AgentFigures figures;
  figures.memory_bytes["server"] = room->buffered->requests.load() + room->buffered->replies.load();
  figures.store = {store.profiles, store.bytes, store.dropped};
  return {200, "text/plain; version=0.0.4; charset=utf-8", room->target->metrics(figures)};
}

// What a start may name as its event.
Reply events(const Request&) {
  nlohmann::json events = nlohmann::json::array();
  for (const session::ListedEvent& event : session::kListedEvents)
    events.push_back({{"name", event.name}, {"about", event.about}});
  return json_reply({{"events", events}});
}

}  // namespace

void add_status_routes(Room* room, Router* router) {
  auto status = std::make_shared<Status>(room);
  router->add({"GET", "/api/status", [status](const Request&) { return status->reply(); }});
  router->add({"GET", "/api/events", events});
  router->add({"GET", "/metrics", [room](const Request&) { return metrics(room); }});
}

}  // namespace hearth::http
