#include "events/native/hook_names.h"

#include "events/handlers/io/io_hooks.h"
#include "events/handlers/lock_hooks.h"
#include "events/handlers/native_hooks.h"

namespace hearth::events {

namespace {

template <typename Hooks>
const char* name_in(const Hooks& hooks, uintptr_t code) {
  for (const auto& hook : hooks)
    if (hook.code == code) return hook.name;
  return nullptr;
}

}  // namespace

const char* hooked_function(uintptr_t code) {
  for (const char* name : {name_in(native_hooks(), code), name_in(lock_hooks(), code), name_in(io_hooks(), code)})
    if (name != nullptr) return name;
  return nullptr;
}

}  // namespace hearth::events
