// A profiler without a JVM: it starts, stops and dumps as the agent does, and each of its profiles is the sample
// profile. Its sessions do not follow live objects; a window has a sample of each other event.
#pragma once

#include <atomic>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "commands/profiler_api.h"

namespace hearth::http {

class FakeProfiler final : public commands::ProfilerApi {
 public:
  Outcome run(const options::Options& command) override;
  commands::ProfilePtr profile(const options::Options& command, const std::function<void()>& before_model) override;
  std::vector<commands::SessionFigures> figures() override;
  std::optional<commands::SessionFigures> figures_of(const options::Options& command) override;
  std::vector<std::string> window_events() override { return {}; }
  uint64_t session_changes() override { return sessions_; }
  std::unique_ptr<commands::SampleWindow> open_window(const options::Options& needed,
                                                      const options::Options& started) override;
  std::optional<always_on::AlwaysOnFigures> always_on() override;
  std::string flush_store(const store::TimeRange&) override { return store; }
  std::string metrics(const commands::AgentFigures& agent) override;
  commands::JvmFacts jvm() override { return {4711, "A VM 1", "Main", ""}; }
  void log(std::string_view line) override;
  void warn(std::string_view line) override;
  void thread_begins(int) override { threads++; }
  void thread_ends(int) override { threads--; }

  std::vector<options::Options> commands();  // starts, stops and dumps
  std::vector<std::string> lines();          // of the log, warnings too
  std::vector<std::string> warnings();       // of these lines
  std::atomic<int> threads{0};
  std::atomic<int> windows{0};      // open ones
  std::atomic<bool> stalls{false};  // a dump does, for as long
  std::atomic<int> stalled{0};
  std::string store;  // the directory of an always-on store that runs

 private:
  std::mutex mutex_;
  std::vector<options::Options> commands_;
  std::vector<std::string> lines_;
  std::vector<std::string> warnings_;
  bool running_ = false;
  uint64_t sessions_ = 0;
};

}  // namespace hearth::http
