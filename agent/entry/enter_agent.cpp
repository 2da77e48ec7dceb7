#include "entry/enter_agent.h"

#include <dlfcn.h>

#include "entry/label_natives.h"
#include "entry/record_natives.h"
#include "entry/recording_natives.h"
#include "entry/span_natives.h"
#include "http/control_server.h"

namespace hearth::entry {
namespace {

// Keeps the library loaded: signals may be pending, and the JVM keeps our callbacks.
void pin_this_library() {
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(pin_this_library), &info) != 0)
    dlopen(info.dli_fname, RTLD_LAZY | RTLD_NODELETE);
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

}  // namespace hearth::entry
