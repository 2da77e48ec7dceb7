// A profiler without a JVM: it starts, stops and dumps as the agent does, and its result is the sample profile. Its
// sessions do not follow live objects; a window sees a sample of each other event.
#pragma once

#include <atomic>
#include <mutex>
#include <string>
#include <vector>

#include "http/target.h"

namespace hearth::http {

class FakeTarget final : public Target {
 public:
  Answer execute(const std::string& options) override;
  std::vector<commands::SessionFigures> figures() override;
  std::optional<commands::SessionFigures> figures_of(const std::string& options) override;
  std::vector<std::string> events_for_windows() override { return {}; }
  uint64_t session_changes() override { return sessions_; }
  std::unique_ptr<Window> open_window(const options::Options& needed, const options::Options& started) override;
  std::optional<always_on::AlwaysOnFigures> always_on() override;
  std::string store_with(const store::TimeRange&) override { return store; }
  std::string metrics(const commands::AgentFigures& agent) override;
  JvmFacts jvm() override { return {4711, "A VM 1", "Main", ""}; }
  void log(std::string_view line) override;
  void warn(std::string_view line) override;
  void thread_begins(int) override { threads++; }
  void thread_ends(int) override { threads--; }

  std::vector<std::string> commands();
  std::vector<std::string> lines();     // of the log, warnings too
  std::vector<std::string> warnings();  // of these lines
  std::atomic<int> threads{0};
  std::atomic<int> windows{0};      // open ones
  std::atomic<bool> stalls{false};  // a dump does, for as long
  std::atomic<int> stalled{0};
  std::string store;  // the directory of an always-on store that runs

 private:
  Answer output(const std::string& options);

  std::mutex mutex_;
  std::vector<std::string> commands_;
  std::vector<std::string> lines_;
  std::vector<std::string> warnings_;
  bool running_ = false;
  uint64_t sessions_ = 0;
};

}  // namespace hearth::http
