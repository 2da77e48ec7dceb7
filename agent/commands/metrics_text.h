// The agent's figures in Prometheus' text format 0.0.4. Knows no JVM.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "always_on/always_on_figures.h"
#include "profile/model/profile.h"

namespace hearth::commands {

struct SessionFigures {
  uint64_t number = 0;  // of the process's sessions, from 1
  bool running = false;
  int64_t duration_ns = 0;
  std::string event;
  profile::Quality quality;
  std::map<std::string, int64_t> lost_weights;  // by event: ns of "cpu" and "wall", bytes of "alloc"
  std::string name{};                           // "": none was given
  std::vector<std::string> paused{};            // of its events
};

// Figures of the agent, in addition to those of the sessions.
struct AgentFigures {
  std::map<std::string, int64_t> memory_bytes;  // by part, of all sessions and the server
  int64_t shared_sessions = 0;                  // that were started for clients of the pprof endpoints
  struct Store {
    int64_t profiles = 0;
    int64_t bytes = 0;
    uint64_t dropped = 0;
  };
  std::optional<Store> store;  // of profiles; there is one where there is a server
  std::optional<always_on::AlwaysOnFigures> always_on;
};

// Lists each running session, labelled with its event and its name if it has one. Private sessions are only counted:
// each would be a permanent series. Counters begin at 0 with each session, which Prometheus takes for a restart.
std::string metrics_text(const std::vector<SessionFigures>& sessions, const AgentFigures& agent = {});

}  // namespace hearth::commands
