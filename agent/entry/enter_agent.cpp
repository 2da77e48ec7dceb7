#include "entry/enter_agent.h"

#include <dlfcn.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>

#include "base/error.h"
#include "entry/label_natives.h"
#include "entry/process_exit.h"
#include "entry/record_natives.h"
#include "entry/recording_natives.h"
#include "entry/span_natives.h"
#include "http/control_server.h"

namespace hearth::entry {
namespace {

std::atomic<pid_t> g_process{0};  // of enter_process()

// Older versions of glibc remember it for too long.
pid_t this_process() {
  return static_cast<pid_t>(::syscall(SYS_getpid));
}

// Keeps the library loaded: signals may be pending, and the JVM keeps our callbacks.
void pin_this_library() {
  std::string library = own_library();
  if (!library.empty()) dlopen(library.c_str(), RTLD_LAZY | RTLD_NODELETE);
}

}  // namespace

commands::Agent& enter_agent(JavaVM* vm, bool live) {
  pin_this_library();
  commands::Agent& agent = commands::Agent::instance();
  agent.set_control(&http::ControlServer::instance());
  // Never destroyed: commands may run while the process exits.
  static const auto* classes =
      new commands::NativeClasses{label_class(), span_class(), record_class(), recording_class()};
  agent.set_native_classes(classes);
  agent.enter(vm, live);
  return agent;
}

std::string own_library() {
  Dl_info info{};
  return dladdr(reinterpret_cast<const void*>(own_library), &info) == 0 ? "" : info.dli_fname;
}

bool is_entered_process() {
  return g_process == this_process();
}

commands::Agent& entered_process() {
  return commands::Agent::instance();
}

commands::Agent& enter_process() {
  pid_t none = 0;
  if (!g_process.compare_exchange_strong(none, this_process()) && !is_entered_process())
    throw Error("this process is a fork of one that was profiled, whose sessions it cannot use",
                "profile it after exec");
  pin_this_library();
  commands::Agent& agent = commands::Agent::instance();
  agent.native().enter();
  static const bool is_registered = on_process_exit([](void*) {
    if (is_entered_process()) commands::Agent::instance().native().end();
  });
  if (!is_registered) throw Error("there is no memory for the handler of the exit of this process");
  return agent;
}

}  // namespace hearth::entry
