#include "commands/agent_profiler.h"

#include <unistd.h>

#include "base/error.h"
#include "base/jvm_refs.h"
#include "commands/agent.h"
#include "profile/model/event_view.h"

namespace hearth::commands {
namespace {

struct Attached : JvmAttachment {
  Attached() : JvmAttachment(Agent::instance().vm().java_vm, "hearth http") {}
};

JNIEnv* require_env(const JvmAttachment& attachment) {
  if (attachment.env() == nullptr) throw Error("the JVM takes no more threads", "it is ending");
  return attachment.env();
}

class AgentWindow final : public SampleWindow {
 public:
  AgentWindow(const options::Options& needed, const options::Options& started) {
    Attached attached;
    window_ = agent_.windows().open(needed, started, require_env(attached));
  }
  ~AgentWindow() override {
    try {
      Attached attached;
      agent_.windows().close(&window_, attached.env());
    } catch (const std::exception& error) {
      agent_.log().error(error.what());
    }
  }

  Origin origin() const override {
    if (window_.is_new) return Origin::kThisWindow;
    return window_.is_shared ? Origin::kOtherWindow : Origin::kCommand;
  }

  profile::Profile profile(const options::Options& output, const Query& query) override {
    using As = session::LiveProfile::As;
    session::ProfileRange range = {{}, query.events, query.collects_garbage ? As::kCollectedNow : As::kLastCollected};
    if (!query.from_session_start) range.since = window_.since;
    Attached attached;
    profile::Profile profile = agent_.windows().profile(window_, range, output, require_env(attached));
    return profile::only_events(profile, query.events);
  }

 private:
  Agent& agent_ = Agent::instance();
  ClientWindows::Window window_;
};

}  // namespace

ProfilerApi::Outcome AgentProfiler::run(const options::Options& command) {
  Attached attached;
  Answer answer = Agent::instance().execute(command, require_env(attached), false);
  return {std::move(answer.text), answer.session};
}

ProfilePtr AgentProfiler::profile(const options::Options& command, const std::function<void()>& before_model) {
  Attached attached;
  return Agent::instance().profile(command, before_model, require_env(attached));
}

std::vector<SessionFigures> AgentProfiler::figures() {
  return Agent::instance().figures();
}

std::optional<SessionFigures> AgentProfiler::figures_of(const options::Options& command) {
  return Agent::instance().figures_of(command);
}

uint64_t AgentProfiler::session_changes() {
  return Agent::instance().session_changes();
}

std::unique_ptr<SampleWindow> AgentProfiler::open_window(const options::Options& needed,
                                                         const options::Options& started) {
  return std::make_unique<AgentWindow>(needed, started);
}

std::vector<std::string> AgentProfiler::window_events() {
  return Agent::instance().windows().events();
}

std::optional<always_on::AlwaysOnFigures> AgentProfiler::always_on() {
  return Agent::instance().store().figures();
}

std::string AgentProfiler::flush_store(const store::TimeRange& range) {
  Attached attached;
  return Agent::instance().store().flush(range, require_env(attached));
}

std::string AgentProfiler::metrics(const AgentFigures& figures) {
  Attached attached;  // reads how much each living thread has allocated
  require_env(attached);
  return Agent::instance().metrics(figures);
}

// Asks the JVM, not the agent, which reads these facts with its first command: the server may listen before.
JvmFacts AgentProfiler::jvm() {
  JvmFacts facts{getpid(), "", "", ""};
  Attached attached;
  if (attached.env() == nullptr) return facts;
  jvmtiEnv* jvmti = Agent::instance().vm().jvmti;
  facts.runtime = system_property(jvmti, "java.vm.name") + " " + system_property(jvmti, "java.vm.version");
  facts.main = program_of(jvmti);
  facts.outputs = system_property(jvmti, "hearth.output-dir");
  return facts;
}

void AgentProfiler::log(std::string_view line) {
  Agent::instance().log().info(line);
}

void AgentProfiler::warn(std::string_view line) {
  Agent::instance().log().warn(line);
}

void AgentProfiler::thread_begins(int tid) {
  Agent::instance().own_thread_begins(tid);
}

void AgentProfiler::thread_ends(int tid) {
  Agent::instance().own_thread_ends(tid);
}

}  // namespace hearth::commands
