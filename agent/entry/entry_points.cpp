// Entry points of the agent: -agentpath, dynamic attach, System.load. profiler_natives.cpp has the one for Java code.
#include <dlfcn.h>
#include <jvmti.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>

#include "commands/agent.h"
#include "entry/label_natives.h"
#include "entry/launch_environment.h"
#include "entry/span_natives.h"
#include "http/control_server.h"

namespace {

using hearth::commands::Agent;

// Keeps the library loaded: signals may be pending, and the JVM keeps our callbacks.
void pin_this_library() {
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(pin_this_library), &info) != 0)
    dlopen(info.dli_fname, RTLD_LAZY | RTLD_NODELETE);
}

std::string options_or_environment(const char* options) {
  if (options != nullptr && *options != '\0') return options;
  const char* command = std::getenv("HEARTH_COMMAND");
  return command == nullptr ? "" : command;
}

bool enter(JavaVM* vm, bool live) {
  try {
    pin_this_library();
    Agent::instance().set_control(&hearth::http::ControlServer::instance());
    using hearth::commands::NativeClasses;
    // Never destroyed: commands may run while the process exits.
    static const auto* classes = new NativeClasses{hearth::entry::label_class(), hearth::entry::span_class()};
    Agent::instance().set_native_classes(classes);
    Agent::instance().enter(vm, live);
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
  std::string command = options_or_environment(options);
  if (enter(vm, false)) Agent::instance().command(command, nullptr);
  return JNI_OK;
}

// Runs one command for each load of the same file. The launcher reads the result from the reply file, and tries again
// while the JVM starts.
JNIEXPORT jint JNICALL Agent_OnAttach(JavaVM* vm, char* options, void*) {
  if (is_starting(vm)) return JNI_EDETACHED;
  if (!enter(vm, true)) return JNI_ERR;
  std::string command = options_or_environment(options);
  return command.empty() || Agent::instance().own_command(command, env_of_this_thread(vm)) ? JNI_OK : JNI_ERR;
}

// Entry of System.load. Runs the command in HEARTH_COMMAND, if there is one.
JNIEXPORT jint JNICALL JNI_OnLoad(JavaVM* vm, void*) {
  std::string command = options_or_environment(nullptr);
  if (enter(vm, true) && !command.empty()) Agent::instance().command(command, env_of_this_thread(vm));
  return JNI_VERSION_1_8;
}
}
