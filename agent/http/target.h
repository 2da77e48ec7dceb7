// The profiler that the routes command, and the JVM that it is in. Thread safe.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "profile/profile.h"
#include "session/metrics_text.h"
#include "session/options.h"

namespace hearth::http {

struct JvmFacts {
  int64_t pid = 0;
  std::string runtime;  // "OpenJDK 64-Bit Server VM 17.0.15+6"
  std::string main;     // class or jar, "" when not told
};

class Target {
 public:
  virtual ~Target() = default;

  struct Answer {
    std::string text;  // a message, or what was to be made
    bool is_product = false;
  };
  // A command in the agent's options. Throws Error; then nothing has changed.
  virtual Answer execute(const std::string& options) = 0;
  // Of the session that runs or was the last; but for samples without symbols.
  virtual std::optional<session::SessionFigures> figures() = 0;
  // A look at what is sampled, from its opening until it goes; any number at one time. Of one thread.
  class Window {
   public:
    enum class Since { kOpening, kSessionStart };
    virtual ~Window() = default;
    // Throws Error.
    virtual profile::Profile profile(const session::Options& output, Since since) = 0;
  };
  // On the session that runs, where it samples what is wanted, else on one that is started for it and ends with the
  // last window on it. Throws Error.
  virtual std::unique_ptr<Window> open_window(const session::Options& wanted) = 0;
  virtual std::string metrics() = 0;  // for Prometheus
  virtual JvmFacts jvm() = 0;
  virtual void log(std::string_view line) = 0;
  virtual void warn(std::string_view line) = 0;
  // Threads of the server, as they begin and end: they are not profiled.
  virtual void thread_begins(int tid) = 0;
  virtual void thread_ends(int tid) = 0;
};

// The agent of this process.
class AgentTarget final : public Target {
 public:
  Answer execute(const std::string& options) override;
  std::optional<session::SessionFigures> figures() override;
  std::unique_ptr<Window> open_window(const session::Options& wanted) override;
  std::string metrics() override;
  JvmFacts jvm() override;
  void log(std::string_view line) override;
  void warn(std::string_view line) override;
  void thread_begins(int tid) override;
  void thread_ends(int tid) override;
};

}  // namespace hearth::http
