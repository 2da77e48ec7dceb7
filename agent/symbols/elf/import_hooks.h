// Redirects calls from one library to another: replaces the pointers that the dynamic linker has put into the tables of
// every loaded library, and puts them back. Thread safe; outside signals only.
#pragma once

#include <link.h>

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "symbols/elf/loaded_objects.h"

namespace hearth::symbols {

class ImportTables;

class ImportHooks {
 public:
  struct Hook {
    std::string name;  // of the function
    uintptr_t code;    // is called in its place
  };

  // Finds the functions, and changes nothing. `allocator`: a library that defines this function is left alone, unless
  // it is the C library: it calls itself. The hooks' code belongs to a library that is never unloaded.
  ImportHooks(std::vector<Hook> hooks, std::string allocator);
  ImportHooks(const ImportHooks&) = delete;
  ImportHooks& operator=(const ImportHooks&) = delete;
  ~ImportHooks() { restore(); }

  // The function that calls reach without the hook; 0: no library has it.
  uintptr_t original(size_t hook) const { return originals_[hook]; }

  // Replaces the pointers in all libraries but the hooks' own, and looks for others at each further call: fast if none
  // was loaded. Another thread may do so at the same time: then it returns at once.
  void apply();

  // Puts back each pointer that still is a hook's.
  void restore();

  size_t replaced() const;  // pointers, now
  // Pointers that were not replaced as they lead elsewhere: the program, or another tool, has functions of its own. The
  // name of one of the libraries that has those.
  size_t foreign() const;
  std::string foreign_library() const;
  size_t refused() const;  // pointers that could not be written

 private:
  enum class Step { kApply, kRestore };
  struct Page;

  bool is_left_alone(const ImportTables& tables) const;
  size_t hook_named(std::string_view name) const;
  void walk(Step step);
  void walk_object(Step step, const dl_phdr_info& info, const std::vector<Page>& pages);
  void apply_to(const dl_phdr_info& info, const ImportTables& tables, const std::vector<Page>& pages);
  bool is_unresolved(const dl_phdr_info& info, const ImportTables& tables, uintptr_t value, size_t hook) const;
  bool leads_elsewhere(const dl_phdr_info& info, const ImportTables& tables) const;
  bool write(uintptr_t slot, uintptr_t expected, uintptr_t value, bool is_writable);
  void forget_figures();

  const std::vector<Hook> hooks_;
  const std::string allocator_;
  std::vector<uintptr_t> originals_;  // by hook; 0: no library has the function
  mutable std::mutex mutex_;
  std::unordered_map<uintptr_t, uintptr_t> replaced_;  // slots with their pointers from before
  LoadCounts seen_;
  int left_tries_ = 0;  // of walks for a library that is not ready
  bool is_unready_ = false;
  size_t foreign_ = 0;
  uintptr_t foreign_function_ = 0;
  size_t refused_ = 0;
};

}  // namespace hearth::symbols
