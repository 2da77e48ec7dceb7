// Entry points of the agent: -agentpath, dynamic attach, System.load. profiler_natives.cpp has the one for Java code.
#include <jvmti.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <string_view>

#include "commands/agent.h"
#include "entry/asprof_natives.h"
#include "entry/enter_agent.h"
#include "entry/launch_environment.h"
#include "options/asprof/asprof_command.h"
#include "options/options.h"

namespace {

using hearth::commands::Agent;

std::string options_or_environment(const char* options) {
  if (options != nullptr && *options != '\0') return options;
  const char* command = std::getenv("HEARTH_COMMAND");
  return command == nullptr ? "" : command;
}

// Whether the agent was loaded as async-profiler's library, of which it may be a link or a copy.
bool is_called_asprof() {
  constexpr std::string_view kName = "libasyncProfiler";
  std::string path = hearth::entry::own_library();
  return path.compare(path.rfind('/') + 1, kName.size(), kName) == 0;
}

// Removes the mark of the launcher named asprof. Returns whether the command is in async-profiler's language, which
// hearth's own launcher never speaks, whatever the name of the library.
bool take_asprof_mark(std::string* command) {
  constexpr std::string_view kMark = hearth::options::kAsprofMark;
  if (command->compare(0, kMark.size(), kMark) == 0) {
    command->erase(0, kMark.size());
    return true;
  }
  return is_called_asprof() && hearth::options::reply_option(*command).empty();
}

bool enter(JavaVM* vm, bool live) {
  try {
    hearth::entry::enter_agent(vm, live);
    return true;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "hearth: %s\n", error.what());
    return false;
  }
}

// True before the JVM is alive: HotSpot accepts attach earlier, but has no JVMTI then
// (JvmtiExport::get_jvmti_interface).
bool is_starting(JavaVM* vm) {
  static std::atomic<bool> was_alive;
  if (was_alive) return false;
  jvmtiEnv* jvmti = nullptr;
  jint result = vm->GetEnv(reinterpret_cast<void**>(&jvmti), JVMTI_VERSION_1_2);
  if (result == JNI_OK) jvmti->DisposeEnvironment();
  was_alive = result != JNI_EDETACHED;
  return !was_alive;
}

JNIEnv* env_of_this_thread(JavaVM* vm) {
  JNIEnv* env = nullptr;
  return vm->GetEnv(reinterpret_cast<void**>(&env), JNI_VERSION_1_8) == JNI_OK ? env : nullptr;
}

}  // namespace

extern "C" {

// Always returns JNI_OK: a refused command must not keep the JVM from starting.
JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM* vm, char* options, void*) {
  hearth::entry::restore_java_tool_options();
  hearth::entry::disambiguate_output_file();
  bool has_options = options != nullptr && *options != '\0';
  auto preloaded = has_options ? std::nullopt : hearth::entry::take_preloaded_command();
  std::string command = preloaded ? preloaded->text : options_or_environment(options);
  bool is_asprof = preloaded ? preloaded->is_asprof : take_asprof_mark(&command);
  if (!enter(vm, false)) return JNI_OK;
  is_asprof ? Agent::instance().asprof().execute_and_reply(command, nullptr)
            : Agent::instance().command(command, nullptr);
  return JNI_OK;
}

// Runs one command for each load of the same file. The launcher reads the result from the reply file, and tries again
// while the JVM starts.
JNIEXPORT jint JNICALL Agent_OnAttach(JavaVM* vm, char* options, void*) {
  if (is_starting(vm)) return JNI_EDETACHED;
  if (!enter(vm, true)) return JNI_ERR;
  std::string command = options_or_environment(options);
  bool is_asprof = take_asprof_mark(&command);
  if (command.empty()) return JNI_OK;
  JNIEnv* env = env_of_this_thread(vm);
  Agent& agent = Agent::instance();
  auto run = [&] { return is_asprof ? agent.asprof().execute_and_reply(command, env) : agent.command(command, env); };
  return agent.run_on_own_thread(run) ? JNI_OK : JNI_ERR;
}

// Entry of System.load. Runs the command in HEARTH_COMMAND, if there is one.
JNIEXPORT jint JNICALL JNI_OnLoad(JavaVM* vm, void*) {
  std::string command = options_or_environment(nullptr);
  if (!enter(vm, true)) return JNI_VERSION_1_8;
  JNIEnv* env = env_of_this_thread(vm);
  if (env != nullptr) hearth::entry::register_asprof_natives(Agent::instance().vm().jvmti, env);
  if (!command.empty()) Agent::instance().command(command, env);
  return JNI_VERSION_1_8;
}
}
