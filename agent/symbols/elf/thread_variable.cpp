#include "symbols/elf/thread_variable.h"

#include <dlfcn.h>
#include <link.h>

#include <algorithm>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "base/scoped_signal_mask.h"
#include "capture/faults/safe_load.h"

// Only glibc has it.
extern "C" __attribute__((weak)) const char* gnu_get_libc_version();

namespace hearth::symbols {
namespace {

using capture::ThreadVariable;

constexpr ptrdiff_t kMostThreadData = 1 << 20;

struct Module {
  std::string path;  // "": the program
  size_t number;     // of its thread data
};

bool contains_this_code(const dl_phdr_info& info) {
  auto here = reinterpret_cast<uintptr_t>(&contains_this_code);
  return std::any_of(info.dlpi_phdr, info.dlpi_phdr + info.dlpi_phnum, [&](const ElfW(Phdr) & part) {
    return part.p_type == PT_LOAD && here - (info.dlpi_addr + part.p_vaddr) < part.p_memsz;
  });
}

// The modules with data of each thread, apart from this one.
std::vector<Module> modules_with_thread_data() {
  std::vector<Module> modules;
  auto add = [](dl_phdr_info* info, size_t size, void* all) {
    bool has_number = size >= offsetof(dl_phdr_info, dlpi_tls_modid) + sizeof info->dlpi_tls_modid;
    if (has_number && info->dlpi_tls_modid != 0 && !contains_this_code(*info))
      static_cast<std::vector<Module>*>(all)->push_back({info->dlpi_name, info->dlpi_tls_modid});
    return 0;
  };
  ::dl_iterate_phdr(add, &modules);
  return modules;
}

// The places that the variable can have, as the calling thread sees them.
struct Places {
  ThreadVariable fixed, by_module;
};

Places places_on_this_thread(void* library, const char* name, size_t module) {
  auto address = reinterpret_cast<uintptr_t>(::dlsym(library, name));
  if (address == 0) return {};
  auto thread = reinterpret_cast<uintptr_t>(__builtin_thread_pointer());
  Places places;
  places.fixed.offset = static_cast<ptrdiff_t>(address - thread);
  places.by_module = {module, 0, gnu_get_libc_version == nullptr};
  uintptr_t data = capture::address_of(places.by_module);
  places.by_module.offset = data == 0 ? -1 : static_cast<ptrdiff_t>(address - data);
  return places;
}

// Compares the places on two threads: the linker puts the data of a library loaded later behind the thread pointer, if
// its reserve has space, and else into memory that each thread allocates.
std::optional<ThreadVariable> place_of(void* library, const char* name, size_t module) {
  if (::dlsym(library, name) == nullptr) return std::nullopt;
  Places here = places_on_this_thread(library, name, module), there;
  ScopedSignalMask blocked;
  try {
    std::thread([&] { there = places_on_this_thread(library, name, module); }).join();
  } catch (const std::system_error&) {
    return std::nullopt;
  }
  if (here.fixed == there.fixed && std::abs(here.fixed.offset) < kMostThreadData) return here.fixed;
  bool is_known = here.by_module == there.by_module && here.by_module.offset >= 0;
  if (!is_known || here.by_module.offset > kMostThreadData) return std::nullopt;
  return here.by_module;
}

}  // namespace

std::optional<ThreadVariable> find_thread_variable(const char* name) {
  for (const Module& module : modules_with_thread_data()) {
    const char* path = module.path.empty() ? nullptr : module.path.c_str();
    void* library = ::dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
    if (library == nullptr) continue;
    std::optional<ThreadVariable> found = place_of(library, name, module.number);
    ::dlclose(library);
    if (found) return found;
  }
  return std::nullopt;
}

}  // namespace hearth::symbols
