#include "http/target.h"

#include <unistd.h>

#include <algorithm>

#include "base/error.h"
#include "base/jvm_refs.h"
#include "commands/agent.h"
#include "profile/model/event_view.h"

namespace hearth::http {
namespace {

using commands::Agent;

// The thread belongs to the JVM for the one command only: an idle server has no Java threads.
struct Attached : JvmAttachment {
  Attached() : JvmAttachment(Agent::instance().vm().java_vm, "hearth http") {}
};

JNIEnv* require_env(const JvmAttachment& attachment) {
  if (attachment.env() == nullptr) throw Error("the JVM takes no more threads", "it is ending");
  return attachment.env();
}

class AgentWindow final : public Target::Window {
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

  On on() const override {
    if (window_.is_new) return On::kNew;
    return window_.is_shared ? On::kShared : On::kCommanded;
  }

  profile::Profile profile(const options::Options& output, const Look& look) override {
    using As = session::LiveProfile::As;
    session::ProfileRange part = {{}, look.events, look.collects_garbage ? As::kCollectedNow : As::kLastCollected};
    if (!look.from_session_start) part.since = window_.since;
    Attached attached;
    profile::Profile profile = agent_.windows().profile(window_, part, output, require_env(attached));
    return profile::only_events(profile, look.events);
  }

 private:
  Agent& agent_ = Agent::instance();
  commands::ClientWindows::Window window_;
};

}  // namespace

Target::Answer AgentTarget::execute(const std::string& options) {
  Attached attachment;
  commands::Answer answer = Agent::instance().execute(options::parse_options(options), require_env(attachment), false);
  return {std::move(answer.text), answer.is_product, answer.session};
}

std::vector<std::string> AgentTarget::events_for_windows() {
  return Agent::instance().windows().events();
}

uint64_t AgentTarget::session_changes() {
  return Agent::instance().session_changes();
}

std::vector<commands::SessionFigures> AgentTarget::figures() {
  return Agent::instance().figures();
}

std::optional<commands::SessionFigures> AgentTarget::figures_of(const std::string& options) {
  return Agent::instance().figures_of(options::parse_options(options));
}

std::unique_ptr<Target::Window> AgentTarget::open_window(const options::Options& needed,
                                                         const options::Options& started) {
  return std::make_unique<AgentWindow>(needed, started);
}

std::optional<always_on::AlwaysOnFigures> AgentTarget::always_on() {
  return Agent::instance().store().figures();
}

std::string AgentTarget::store_with(const store::TimeRange& range) {
  Attached attachment;
  return Agent::instance().store().flush(range, require_env(attachment));
}

std::string AgentTarget::metrics(const commands::AgentFigures& figures) {
  Attached attachment;  // living threads are asked what they have allocated
  require_env(attachment);
  return Agent::instance().metrics(figures);
}

JvmFacts AgentTarget::jvm() {
  JvmFacts facts{getpid(), "", "", ""};
  Attached attachment;
  if (attachment.env() == nullptr) return facts;
  // The agent itself learns what JVM this is with its first command, after the server has come.
  jvmtiEnv* jvmti = Agent::instance().vm().jvmti;
  facts.runtime = system_property(jvmti, "java.vm.name") + " " + system_property(jvmti, "java.vm.version");
  facts.main = program_of(jvmti);
  facts.outputs = system_property(jvmti, "hearth.output-dir");
  return facts;
}

void AgentTarget::log(std::string_view line) {
  Agent::instance().log().info(line);
}

void AgentTarget::warn(std::string_view line) {
  Agent::instance().log().warn(line);
}

void AgentTarget::thread_begins(int tid) {
  Agent::instance().own_thread_begins(tid);
}

void AgentTarget::thread_ends(int tid) {
  Agent::instance().own_thread_ends(tid);
}

}  // namespace hearth::http
