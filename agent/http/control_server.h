// The control server: one for the life of the process; it listens on request. See commands::Control.
#pragma once

#include <memory>
#include <mutex>
#include <string>

#include "commands/control.h"
#include "commands/profiler_api.h"
#include "http/server/connections.h"

namespace hearth::http {

class ControlServer final : public commands::Control {
 public:
  // `profiler` outlives the server.
  explicit ControlServer(commands::ProfilerApi* profiler, const ConnectionLimits& limits = {});
  ~ControlServer() override;

  // The server of this process's agent; never destroyed, as the agent.
  static ControlServer& instance();

  Serving serve(const options::Options& options) override;
  std::string stop() override;
  void interrupt() override;
  void end() override;

 private:
  class Running;

  commands::ProfilerApi* profiler_;
  const ConnectionLimits limits_;
  std::timed_mutex mutex_;
  std::unique_ptr<Running> running_;
};

}  // namespace hearth::http
