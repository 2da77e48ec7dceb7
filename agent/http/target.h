// The profiler that the routes command, and the JVM that it is in. Thread safe.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "commands/metrics_text.h"
#include "options/options.h"
#include "profile/model/profile.h"
#include "store/time_range.h"

namespace hearth::http {

struct JvmFacts {
  int64_t pid = 0;
  std::string runtime;  // "OpenJDK 64-Bit Server VM 17.0.15+6"
  std::string main;     // class or jar, "" when not told
  std::string outputs;  // the folder that hearth.output-dir names, "" for none
};

class Target {
 public:
  virtual ~Target() = default;

  struct Answer {
    std::string text;  // a message, or what was to be made
    bool is_product = false;
    uint64_t session = 0;  // the number of what was started
  };
  // A command in the agent's options. Throws Error; then nothing has changed.
  virtual Answer execute(const std::string& options) = 0;
  // Of the sessions that commands are about, first those that run; but for samples without symbols.
  virtual std::vector<commands::SessionFigures> figures() = 0;
  // Of the one that a stop or dump of these options is about; none where there is none. Throws Error where it could be
  // several.
  virtual std::optional<commands::SessionFigures> figures_of(const std::string& options) = 0;
  // The events that are sampled for windows beside it, session by session.
  virtual std::vector<std::string> events_for_windows() = 0;
  // Counts up when a session begins or ends.
  virtual uint64_t session_changes() = 0;
  // A look at what is sampled, from its opening until it goes; any number at one time. Of one thread.
  class Window {
   public:
    struct Look {
      bool from_session_start = false;  // else from the opening
      std::vector<std::string> events;  // those that the profile has
      bool collects_garbage = false;    // to know what is live; else that is told as the last collection left it
    };
    virtual ~Window() = default;
    // Whose session it is on: one that was started by a command, for other windows, or for this one.
    enum class On { kCommanded, kShared, kNew };
    virtual On on() const = 0;
    // Throws Error.
    virtual profile::Profile profile(const options::Options& output, const Look& look) = 0;
  };
  // On a session that runs, where it samples all that is needed, else on one that is started beside it and ends with
  // the last window on it; it may sample more, for others that come. Throws Error.
  virtual std::unique_ptr<Window> open_window(const options::Options& needed, const options::Options& started) = 0;
  // Of the always-on store; none where none runs.
  virtual std::optional<always_on::AlwaysOnFigures> always_on() = 0;
  // Its directory, once what has just been is in there, as far as `range` has it; "" where none runs. Throws Error.
  virtual std::string store_with(const store::TimeRange& range) = 0;
  virtual std::string metrics(const commands::AgentFigures& figures) = 0;  // for Prometheus
  virtual JvmFacts jvm() = 0;
  virtual void log(std::string_view line) = 0;  // not shown unless asked for: the program's output is not the agent's
  virtual void warn(std::string_view line) = 0;
  // Threads of the server, as they begin and end: they are not profiled.
  virtual void thread_begins(int tid) = 0;
  virtual void thread_ends(int tid) = 0;
};

// The agent of this process.
class AgentTarget final : public Target {
 public:
  Answer execute(const std::string& options) override;
  std::vector<commands::SessionFigures> figures() override;
  std::optional<commands::SessionFigures> figures_of(const std::string& options) override;
  std::vector<std::string> events_for_windows() override;
  uint64_t session_changes() override;
  std::unique_ptr<Window> open_window(const options::Options& needed, const options::Options& started) override;
  std::optional<always_on::AlwaysOnFigures> always_on() override;
  std::string store_with(const store::TimeRange& range) override;
  std::string metrics(const commands::AgentFigures& figures) override;
  JvmFacts jvm() override;
  void log(std::string_view line) override;
  void warn(std::string_view line) override;
  void thread_begins(int tid) override;
  void thread_ends(int tid) override;
};

}  // namespace hearth::http
