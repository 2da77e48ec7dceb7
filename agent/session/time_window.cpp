#include "session/time_window.h"

#include <dlfcn.h>

#include <algorithm>
#include <ctime>
#include <iterator>

#include "base/error.h"
#include "base/formatted.h"
#include "capture/sample_window.h"

namespace hearth::session {
namespace {

using Places = std::vector<events::WindowBreakpoints::Place>;

// The C library runs parts of itself with all signals blocked (pthread_create, posix_spawn), and a breakpoint met there
// ends the process. Our own code must not stumble over itself, nor over a preloaded clock that it reads there.
bool can_be_watched(const symbols::NativeFunction& function) {
  constexpr std::string_view kRefused[] = {"libc.so.6", "libpthread.so.0", "ld-linux-x86-64.so.2",
                                           "ld-linux-aarch64.so.1", "[vdso]"};
  if (std::find(std::begin(kRefused), std::end(kRefused), function.library) != std::end(kRefused)) return false;
  auto library_of = [](const void* code) {
    Dl_info found{};
    dladdr(code, &found);
    return found.dli_fbase;
  };
  const void* library = library_of(reinterpret_cast<const void*>(function.address));
  return library != library_of(reinterpret_cast<const void*>(&can_be_watched)) &&
         library != library_of(reinterpret_cast<const void*>(&clock_gettime));
}

Places places_of(const std::string& option, const std::string& name, symbols::NativeModules* modules) {
  if (name.empty()) return {};
  std::vector<symbols::NativeFunction> functions = modules->find(name);
  if (functions.empty()) {
    std::string nearest = modules->nearest_name(name);
    throw Error(formatted("option {}: no loaded library has a function {}", option, name),
                nearest.empty() ? "write it as profiles do, without parameters; a stripped library needs its symbols"
                                : formatted("did you mean {}?", nearest));
  }
  Places places;
  for (const symbols::NativeFunction& function : functions) {
    if (can_be_watched(function)) places.push_back({function.address, formatted("{}`{}", function.library, name)});
  }
  if (places.empty())
    throw Error(formatted("option {}: {} is in {}, which also runs where no breakpoint may be met", option, name,
                          functions[0].library),
                "take a function of another library");
  return places;
}

}  // namespace

void TimeWindow::start(vm::Vm* vm, const options::Options& options) {
  options_ = &options;
  openings_before_ = capture::window_openings();
  std::lock_guard<std::mutex> lock(vm->modules_mutex);
  const char* option = options.ttsp ? "ttsp" : nullptr;
  Places begin = places_of(option != nullptr ? option : "begin", options.begin, &vm->modules);
  Places end = places_of(option != nullptr ? option : "end", options.end, &vm->modules);
  breakpoints_.start(begin, end, options.nostop ? capture::Outside::kRecorded : capture::Outside::kLeftOut);
}

std::string TimeWindow::trouble() const {
  if (options_ == nullptr || options_->begin.empty() || capture::window_openings() > openings_before_) return "";
  return formatted(
      options_->nostop ? "no window was recorded: {} was not executed" : "nothing was recorded: {} was not executed",
      options_->begin);
}

}  // namespace hearth::session
