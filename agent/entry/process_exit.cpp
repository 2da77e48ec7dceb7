#include "entry/process_exit.h"

#include <dlfcn.h>

namespace {

using Register = int (*)(void (*)(void*), void*, void*);

}  // namespace

extern "C" {

// Takes the place of the C library's for this library alone: no static object is destroyed when the process exits.
// Exit handlers run in the reverse order of their registrations, so those of objects that a session made would run
// before on_process_exit()'s, which writes the session; and its threads may still be at work.
__attribute__((visibility("hidden"))) int __cxa_atexit(void (*)(void*), void*, void*) {
  return 0;
}
}

namespace hearth::entry {

bool on_process_exit(void (*work)(void*)) {
  auto add = reinterpret_cast<Register>(dlsym(RTLD_DEFAULT, "__cxa_atexit"));
  return add != nullptr && add(work, nullptr, nullptr) == 0;
}

}  // namespace hearth::entry
