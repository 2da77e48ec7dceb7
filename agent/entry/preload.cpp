// Entry of LD_PRELOAD: profiles a program from its start by the command in ASPROF_COMMAND, in async-profiler's
// language, or in HEARTH_COMMAND.
//
// A preloaded library's __libc_start_main is the one that programs call first, when all libraries are initialized. The
// initializer of a library could not do it: the others, and those of its own objects, may run later.
#include <dlfcn.h>
#include <link.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <string>

#include "commands/agent.h"
#include "entry/enter_agent.h"
#include "entry/launch_environment.h"
#include "options/asprof/asprof_command.h"

namespace {

using Main = int (*)(int, char**, char**);
using Function = void (*)();
using StartMain = int (*)(Main, int, char**, Function, Function, Function, void*);

Main g_main = nullptr;

// Whether the program is a JDK's launcher, which makes a JVM.
bool is_java() {
  return dl_iterate_phdr(
             [](dl_phdr_info* object, size_t, void*) {
               constexpr const char* kName = "/libjli.so";
               const char* end = std::strstr(object->dlpi_name, kName);
               return end != nullptr && end[std::strlen(kName)] == '\0' ? 1 : 0;
             },
             nullptr) != 0;
}

// The JVM loads this library again, by its path.
void profile_java(const hearth::entry::PreloadedCommand& command) {
  std::string library = hearth::entry::own_library();
  if (!library.empty()) hearth::entry::preload_in_java(library, command);
}

void profile_program(const std::string& command, bool is_asprof) {
  hearth::options::AsprofCommand asprof;
  hearth::options::Options own;
  if (is_asprof)
    asprof = hearth::options::parse_asprof_command(command);
  else
    own = hearth::options::parse_options(command);
  hearth::options::Options& options = is_asprof ? asprof.options : own;
  if (options.file.empty())
    throw hearth::Error("no file was given, so nothing is profiled", "add file=, as in start,event=cpu,file=cpu.html");
  asprof.is_quiet = true;  // standard output is the program's
  hearth::commands::Agent& agent = hearth::entry::enter_process();
  is_asprof ? agent.asprof().execute(asprof, nullptr) : agent.execute(own, nullptr);
}

void start() {
  const char* asprof = std::getenv("ASPROF_COMMAND");
  const char* command = asprof != nullptr ? asprof : std::getenv("HEARTH_COMMAND");
  if (command == nullptr || *command == '\0') return;
  try {
    std::string own = hearth::entry::with_own_file(command);
    is_java() ? profile_java({own, asprof != nullptr}) : profile_program(own, asprof != nullptr);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "hearth: %s\n", error.what());
  }
}

int started_main(int argc, char** argv, char** environment) {
  start();
  return g_main(argc, argv, environment);
}

}  // namespace

extern "C" {

// As the C library's, for its parameters under glibc and musl.
JNIEXPORT int __libc_start_main(Main main, int argc, char** argv, Function init, Function fini, Function rtld_fini,
                                void* stack_end) {
  g_main = main;
  auto next = reinterpret_cast<StartMain>(dlsym(RTLD_NEXT, "__libc_start_main"));
  return next(started_main, argc, argv, init, fini, rtld_fini, stack_end);
}
}
