// A program that was preloaded with this library and replaces itself by exec: its profile is written before, and no
// timer and no perf event sends a signal to the next program, which has no handler and would be ended by it.
#include <dlfcn.h>
#include <jni.h>
#include <unistd.h>

#include <cerrno>
#include <cstdarg>
#include <vector>

#include "entry/enter_agent.h"

namespace {

using Texts = char* const*;

template <typename Exec>
Exec next(const char* name) {
  return reinterpret_cast<Exec>(dlsym(RTLD_NEXT, name));
}

// A child of fork or vfork shares the process's memory or has a copy, and is not sampled.
template <typename Exec>
int leave(const Exec& exec) {
  if (!hearth::entry::is_entered_process()) return exec();
  auto go_on = hearth::entry::entered_process().native().leave_for_exec();
  int result = exec();  // returns only where it fails
  int error = errno;
  go_on();
  errno = error;
  return result;
}

// The arguments of execl() and its kin, up to the null.
std::vector<char*> arguments_of(const char* first, va_list* more) {
  std::vector<char*> all = {const_cast<char*>(first)};
  while (all.back() != nullptr) all.push_back(va_arg(*more, char*));
  return all;
}

}  // namespace

// The headers of the C library have names like __argv.
// NOLINTBEGIN(readability-inconsistent-declaration-parameter-name)
extern "C" {

JNIEXPORT int execve(const char* path, Texts arguments, Texts environment) {
  static const auto exec = next<int (*)(const char*, Texts, Texts)>("execve");
  return leave([&] { return exec(path, arguments, environment); });
}

JNIEXPORT int execv(const char* path, Texts arguments) {
  return execve(path, arguments, environ);
}

JNIEXPORT int fexecve(int file, Texts arguments, Texts environment) {
  static const auto exec = next<int (*)(int, Texts, Texts)>("fexecve");
  return leave([&] { return exec(file, arguments, environment); });
}

JNIEXPORT int execvpe(const char* file, Texts arguments, Texts environment) {
  static const auto exec = next<int (*)(const char*, Texts, Texts)>("execvpe");
  return leave([&] { return exec(file, arguments, environment); });
}

JNIEXPORT int execvp(const char* file, Texts arguments) {
  return execvpe(file, arguments, environ);
}

JNIEXPORT int execl(const char* path, const char* first, ...) {
  va_list more;
  va_start(more, first);
  std::vector<char*> arguments = arguments_of(first, &more);
  va_end(more);
  return execve(path, arguments.data(), environ);
}

JNIEXPORT int execlp(const char* file, const char* first, ...) {
  va_list more;
  va_start(more, first);
  std::vector<char*> arguments = arguments_of(first, &more);
  va_end(more);
  return execvpe(file, arguments.data(), environ);
}

JNIEXPORT int execle(const char* path, const char* first, ...) {
  va_list more;
  va_start(more, first);
  std::vector<char*> arguments = arguments_of(first, &more);
  Texts environment = va_arg(more, Texts);
  va_end(more);
  return execve(path, arguments.data(), environment);
}
}
// NOLINTEND(readability-inconsistent-declaration-parameter-name)
