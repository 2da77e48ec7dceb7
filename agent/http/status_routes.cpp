#include "http/json_reply.h"
#include "http/routes.h"
#include "profile/quality.h"

namespace hearth::http {
namespace {

double share(int64_t part, int64_t whole) {
  return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0;
}

nlohmann::json session_json(const session::SessionFigures& session) {
  const profile::Quality& quality = session.quality;
  return {{"state", session.running ? "running" : "stopped"},
          {"event", session.event},
          {"engine", quality.engine},
          {"duration_ns", session.duration_ns},
          {"samples", quality.samples},
          {"lost", quality.lost},
          {"lost_weights", session.lost_weights},
          {"overhead", share(quality.own_cpu_ns, session.duration_ns)},
          {"quality", profile::quality_json(quality)}};
}

Reply status(Room* room, const JvmFacts& jvm) {
  nlohmann::json sessions = nlohmann::json::array();
  if (auto session = room->target->figures()) sessions.push_back(session_json(*session));
  return json_reply({{"version", HEARTH_VERSION},
                     {"jvm", {{"pid", jvm.pid}, {"runtime", jvm.runtime}, {"main", jvm.main}}},
                     {"http", room->address},
                     {"sessions", sessions}});
}

Reply metrics(Room* room) {
  return {200, "text/plain; version=0.0.4; charset=utf-8", session::metrics_text(room->target->figures())};
}

}  // namespace

void add_status_routes(Room* room, Router* router) {
  // What a JVM is does not change; asking it would attach the thread.
  JvmFacts jvm = room->target->jvm();
  router->add({"GET", "/api/status", [room, jvm](const Request&) { return status(room, jvm); }});
  router->add({"GET", "/metrics", [room](const Request&) { return metrics(room); }});
}

}  // namespace hearth::http
