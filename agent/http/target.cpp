#include "http/target.h"

#include <unistd.h>

#include <algorithm>

#include "base/error.h"
#include "base/jvm_refs.h"
#include "session/agent.h"

namespace hearth::http {
namespace {

using session::Agent;

// The thread belongs to the JVM for the one command only: an idle server has no Java threads.
JNIEnv* require_env(const JvmAttachment& attachment) {
  if (attachment.env() == nullptr) throw Error("the JVM takes no more threads", "it is ending");
  return attachment.env();
}

}  // namespace

Target::Answer AgentTarget::execute(const std::string& options) {
  JvmAttachment attachment(Agent::instance().vm().java_vm, "hearth http");
  Agent::Answer answer = Agent::instance().execute(options, require_env(attachment), false);
  return {std::move(answer.text), answer.is_product};
}

std::optional<session::SessionFigures> AgentTarget::figures() {
  return Agent::instance().figures();
}

std::string AgentTarget::metrics() {
  return execute("metrics").text;
}

JvmFacts AgentTarget::jvm() {
  session::Vm& vm = Agent::instance().vm();
  JvmFacts facts{getpid(), vm.runtime, ""};
  JvmAttachment attachment(vm.java_vm, "hearth http");
  char* command = nullptr;
  if (attachment.env() == nullptr || vm.jvmti->GetSystemProperty("sun.java.command", &command) != JVMTI_ERROR_NONE)
    return facts;
  JvmtiMemory owned(vm.jvmti, command);
  // Not its arguments, which may hold passwords.
  facts.main = command;
  facts.main.erase(std::min(facts.main.find(' '), facts.main.size()));
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
