// The control server: one for the life of the process, listening when it is told to. See commands::Control.
#pragma once

#include <memory>
#include <mutex>
#include <string>

#include "commands/control.h"
#include "http/server/connections.h"
#include "http/target.h"

namespace hearth::http {

class ControlServer final : public commands::Control {
 public:
  // `target` outlives the server.
  explicit ControlServer(Target* target, const ConnectionLimits& limits = {});
  ~ControlServer() override;

  // That of this process's agent; never destroyed, as the agent.
  static ControlServer& instance();

  Serving serve(const options::Options& options) override;
  std::string stop() override;
  void interrupt() override;
  void end() override;

 private:
  class Running;

  Target* target_;
  const ConnectionLimits limits_;
  std::timed_mutex mutex_;
  std::unique_ptr<Running> running_;
};

}  // namespace hearth::http
