// Hooks of a source in the tables of all libraries, also of those that are loaded later: who has loaded one asks for
// its functions next, by dlsym(), which is replaced as long as any hooks are there. Thread safe; outside signals only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "events/event_source.h"
#include "events/handlers/hook_places.h"

namespace hearth::events {

class LibraryHooks {
 public:
  // Finds the functions, and replaces none. One object of each kind at a time may be applied.
  LibraryHooks(HookKind kind, ImportPatcherMaker make_patcher, const std::vector<ImportPatcher::Hook>& hooks);
  LibraryHooks(const LibraryHooks&) = delete;
  LibraryHooks& operator=(const LibraryHooks&) = delete;
  ~LibraryHooks() { restore(); }

  uintptr_t original(size_t hook) const { return patcher_->original(hook); }
  size_t replaced() const { return patcher_->replaced(); }
  std::string trouble() const { return patcher_->trouble(); }

  void apply();
  // Looks for libraries that were loaded since.
  void apply_again() { patcher_->apply(); }
  void restore();

 private:
  const HookKind kind_;
  const ImportPatcherMaker make_patcher_;
  std::unique_ptr<ImportPatcher> patcher_;
  bool is_applied_ = false;
};

}  // namespace hearth::events
