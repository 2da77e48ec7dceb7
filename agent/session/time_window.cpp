#include "session/time_window.h"

#include <dlfcn.h>

#include <algorithm>
#include <iterator>

#include "base/error.h"
#include "base/formatted.h"
#include "capture/sample_window.h"

namespace hearth::session {
namespace {

using Places = std::vector<events::WindowBreakpoints::Place>;

// The C library runs parts of itself with all signals blocked (pthread_create, posix_spawn), and a breakpoint met there
// ends the process. Our own code must not stumble over itself.
bool can_be_watched(const symbols::NativeFunction& function) {
  constexpr std::string_view kRefused[] = {"libc.so.6", "libpthread.so.0", "ld-linux-x86-64.so.2",
                                           "ld-linux-aarch64.so.1", "[vdso]"};
  if (std::find(std::begin(kRefused), std::end(kRefused), function.library) != std::end(kRefused)) return false;
  Dl_info found{};
  Dl_info own{};
  dladdr(reinterpret_cast<const void*>(function.address), &found);
  dladdr(reinterpret_cast<const void*>(&can_be_watched), &own);
  return found.dli_fbase != own.dli_fbase;
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
  if (options.nostop) return;
  options_ = &options;
  openings_before_ = capture::window_openings();
  std::lock_guard<std::mutex> lock(vm->modules_mutex);
  const char* option = options.ttsp ? "ttsp" : nullptr;
  Places begin = places_of(option != nullptr ? option : "begin", options.begin, &vm->modules);
  Places end = places_of(option != nullptr ? option : "end", options.end, &vm->modules);
  breakpoints_.start(begin, end);
}

std::string TimeWindow::trouble() const {
  if (options_ == nullptr || options_->begin.empty() || capture::window_openings() > openings_before_) return "";
  return formatted("nothing was recorded: {} was not executed", options_->begin);
}

}  // namespace hearth::session
