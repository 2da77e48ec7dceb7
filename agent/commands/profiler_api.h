// The profiler as the control server uses it: parsed options in, figures and profiles out. Thread safe; any thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "commands/metrics_text.h"
#include "commands/sessions/output_writer.h"
#include "options/options.h"
#include "profile/model/profile.h"
#include "store/time_range.h"

namespace hearth::commands {

struct JvmFacts {
  int64_t pid = 0;
  std::string runtime;  // "OpenJDK 64-Bit Server VM 17.0.15+6"
  std::string main;     // class or jar, "": unknown
  std::string outputs;  // the directory of the system property hearth.output-dir, "": none
};

// One client's view of a running session, from its opening to its end. Each is used by one thread; any number can be
// open at a time.
class SampleWindow {
 public:
  struct Query {
    bool from_session_start = false;  // else from the opening
    std::vector<std::string> events;  // of the profile
    bool collects_garbage = false;    // before live objects are counted; else they are those of the last collection
  };
  // The start of the session: a command, another window, or this window.
  enum class Origin { kCommand, kOtherWindow, kThisWindow };

  virtual ~SampleWindow() = default;
  virtual Origin origin() const = 0;
  // Throws Error.
  virtual profile::Profile profile(const options::Options& output, const Query& query) = 0;
};

class ProfilerApi {
 public:
  struct Outcome {
    std::string message;
    uint64_t session = 0;  // the number of the session that was started
  };

  virtual ~ProfilerApi() = default;

  // A start, pause or resume. Throws Error; then nothing has changed.
  virtual Outcome run(const options::Options& command) = 0;
  // The profile of a stop or dump. Also writes it where the output has a file. Calls `before_model` without a lock
  // between the two steps: the session stops, and its model, which may be large, is made. Throws Error; a stop that
  // throws after the first step has stopped, and a dump still has the profile.
  virtual ProfilePtr profile(const options::Options& command, const std::function<void()>& before_model) = 0;

  // Sessions that commands control, running ones first, without the count of samples that have no symbols.
  virtual std::vector<SessionFigures> figures() = 0;
  // The session that a stop or dump means. Empty: there is none. Throws Error where it could be several.
  virtual std::optional<SessionFigures> figures_of(const options::Options& command) = 0;
  // Increases when a session starts or ends.
  virtual uint64_t session_changes() = 0;

  // Opens a window on a running session that samples all of `needed`, else on a new one that samples `started` and ends
  // with its last window. Throws Error.
  virtual std::unique_ptr<SampleWindow> open_window(const options::Options& needed,
                                                    const options::Options& started) = 0;
  // The events of the sessions that were started for windows, one text for each session.
  virtual std::vector<std::string> window_events() = 0;

  // Of the always-on store. Empty: none runs.
  virtual std::optional<always_on::AlwaysOnFigures> always_on() = 0;
  // Stores the running window as far as `range` needs it. Returns the store's directory; "": no store runs. Throws
  // Error.
  virtual std::string flush_store(const store::TimeRange& range) = 0;

  // Prometheus' text, with the sessions' and the store's figures added to `figures`.
  virtual std::string metrics(const AgentFigures& figures) = 0;
  virtual JvmFacts jvm() = 0;

  // A line of the agent's log, which does not show it by default; a warning is shown.
  virtual void log(std::string_view line) = 0;
  virtual void warn(std::string_view line) = 0;
  // Threads of the server, which no session samples.
  virtual void thread_begins(int tid) = 0;
  virtual void thread_ends(int tid) = 0;
};

}  // namespace hearth::commands
