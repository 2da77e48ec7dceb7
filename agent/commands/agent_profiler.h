// ProfilerApi of this process's agent. Attaches the calling thread to the JVM for single calls, so that an idle server
// has no Java threads.
#pragma once

#include "commands/profiler_api.h"

namespace hearth::commands {

class AgentProfiler final : public ProfilerApi {
 public:
  Outcome run(const options::Options& command) override;
  ProfilePtr profile(const options::Options& command, const std::function<void()>& before_model) override;
  std::vector<SessionFigures> figures() override;
  std::optional<SessionFigures> figures_of(const options::Options& command) override;
  uint64_t session_changes() override;
  std::unique_ptr<SampleWindow> open_window(const options::Options& needed, const options::Options& started) override;
  std::vector<std::string> window_events() override;
  std::optional<always_on::AlwaysOnFigures> always_on() override;
  std::string flush_store(const store::TimeRange& range) override;
  std::string metrics(const AgentFigures& figures) override;
  JvmFacts jvm() override;
  void log(std::string_view line) override;
  void warn(std::string_view line) override;
  void thread_begins(int tid) override;
  void thread_ends(int tid) override;
};

}  // namespace hearth::commands
