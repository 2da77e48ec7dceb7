#include "events/handlers/current_tid.h"

#include <sys/syscall.h>
#include <unistd.h>

namespace hearth::events {
namespace {

__attribute__((tls_model("initial-exec"))) thread_local int t_tid = 0;

}  // namespace

int current_tid() {
  if (t_tid == 0) t_tid = static_cast<int>(syscall(SYS_gettid));
  return t_tid;
}

}  // namespace hearth::events
