#include "events/threads/task_files.h"

#include <fcntl.h>

#include <cstdio>
#include <cstdlib>
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
  // The number, six arguments and the stack pointer; of a thread outside of calls -1 and the stack pointer.
  constexpr size_t kStackPointer = 7;
  size_t fields = 0;
  char* end = nullptr;
  for (const char* at = text; fields <= kStackPointer; fields++, at = end) {
    uint64_t value = fields == 0 ? static_cast<uint64_t>(std::strtol(at, &end, 10)) : std::strtoull(at, &end, 16);
    if (end == at) break;
    if (fields == 0) state.number = static_cast<int>(value);
    if (fields == 1) state.argument = value;
    if (fields == kStackPointer) state.sp = value;
  }
  state.known = fields > kStackPointer || (fields >= 1 && state.number == -1);
  state.blocked = state.known;
  return state;
}

TaskFiles::SyscallState TaskFiles::syscall_state_of(int tid) const {
  return parse_syscall_file(read_text<Line>(tasks_.get(), tid, "syscall").bytes);
}

// Format of fs/proc/array.c, task_sig.
TaskFiles::Signals parse_signals(const char* text) {
  auto mask_of = [text](const char* name) {
    const char* line = std::strstr(text, name);
    return line == nullptr ? 0 : std::strtoull(line + std::strlen(name), nullptr, 16);
  };
  return {mask_of("\nSigPnd:"), mask_of("\nSigBlk:")};
}

TaskFiles::Signals TaskFiles::signals_of(int tid) const {
  return parse_signals(read_text<Page>(tasks_.get(), tid, "status").bytes);
}

int64_t TaskFiles::run_delay_ns(int tid) const {
  auto text = read_text<Line>(tasks_.get(), tid, "schedstat");
  char* behind_run_time = nullptr;
  std::strtoull(text.bytes, &behind_run_time, 10);
  return std::strtoll(behind_run_time, nullptr, 10);
}

}  // namespace hearth::events
