#include "events/threads/task_files.h"

#include <fcntl.h>

#include <cinttypes>
#include <cstdio>
#include <cstring>

namespace hearth::events {
namespace {

template <size_t Size>
struct Text {
  char bytes[Size];
};
using Line = Text<256>;
using Page = Text<4096>;

template <typename Text>
Text read_text(int directory, int tid, const char* name) {
  Text text;
  char path[64];
  std::snprintf(path, sizeof path, "%d/%s", tid, name);
  UniqueFd file(openat(directory, path, O_RDONLY | O_CLOEXEC));
  ssize_t count = file ? read(file.get(), text.bytes, sizeof text.bytes - 1) : 0;
  text.bytes[count > 0 ? count : 0] = '\0';
  return text;
}

}  // namespace

TaskFiles::TaskFiles() : tasks_(open("/proc/self/task", O_PATH | O_DIRECTORY | O_CLOEXEC)) {}

// Format of fs/proc/base.c, proc_pid_syscall: "running", "-1 SP PC", or "NUMBER ARGUMENT×6 SP PC".
TaskFiles::SyscallState parse_syscall_file(const char* text) {
  TaskFiles::SyscallState state;
  if (std::strncmp(text, "running", 7) == 0) {
    state.known = true;
    return state;
  }
  int fields =
      std::sscanf(text, "%d %" SCNxPTR " %*x %*x %*x %*x %*x %" SCNxPTR, &state.number, &state.argument, &state.sp);
  state.known = fields == 3 || (fields >= 1 && state.number == -1);
  state.blocked = state.known;
  return state;
}

TaskFiles::SyscallState TaskFiles::syscall_state_of(int tid) const {
  return parse_syscall_file(read_text<Line>(tasks_.get(), tid, "syscall").bytes);
}

// Format of fs/proc/array.c, task_sig.
TaskFiles::Signals parse_signals(const char* text) {
  auto mask_of = [text](const char* name) {
    uint64_t mask = 0;
    const char* line = std::strstr(text, name);
    return line != nullptr && std::sscanf(line + std::strlen(name), "%" SCNx64, &mask) == 1 ? mask : 0;
  };
  return {mask_of("\nSigPnd:"), mask_of("\nSigBlk:")};
}

TaskFiles::Signals TaskFiles::signals_of(int tid) const {
  return parse_signals(read_text<Page>(tasks_.get(), tid, "status").bytes);
}

int64_t TaskFiles::run_delay_ns(int tid) const {
  int64_t delay = 0;
  auto text = read_text<Line>(tasks_.get(), tid, "schedstat");
  return std::sscanf(text.bytes, "%*u %" SCNd64, &delay) == 1 ? delay : 0;
}

}  // namespace hearth::events
