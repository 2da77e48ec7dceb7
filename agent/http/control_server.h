// The control server: one for the life of the process, listening when it is told to. See session::Control.
#pragma once

#include <memory>
#include <mutex>
#include <string>

#include "http/connections.h"
#include "http/target.h"
#include "session/control.h"

namespace hearth::http {

class ControlServer final : public session::Control {
 public:
  // `target` outlives the server.
  explicit ControlServer(Target* target, const ConnectionLimits& limits = {});
  ~ControlServer() override;

  // That of this process's agent; never destroyed, as the agent.
  static ControlServer& instance();

  Serving serve(const session::Options& options) override;
  std::string stop() override;
  void interrupt() override;
  void end() override;

 private:
  class Running;

  Target* target_;
  const ConnectionLimits limits_;
  std::mutex mutex_;
  std::unique_ptr<Running> running_;
};

}  // namespace hearth::http
