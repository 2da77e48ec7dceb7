#include "events/handlers/current_tid.h"

#include <sys/syscall.h>
#include <unistd.h>

namespace hearth::events {
namespace {

thread_local int t_tid = 0;
thread_local bool t_is_own = false;
thread_local bool t_looks_up_host = false;

}  // namespace

int current_tid() {
  if (t_tid == 0) t_tid = static_cast<int>(syscall(SYS_gettid));
  return t_tid;
}

bool is_own_thread() {
  return t_is_own;
}

void mark_own_thread(bool is_own) {
  t_is_own = is_own;
}

bool looks_up_host() {
  return t_looks_up_host;
}

void mark_host_lookup(bool looks_up) {
  t_looks_up_host = looks_up;
}

}  // namespace hearth::events
