#include "events/native/hook_names.h"

#include "events/handlers/io/io_hooks.h"
#include "events/handlers/lock_hooks.h"
#include "events/handlers/native_hooks.h"

namespace hearth::events {

const char* hooked_function(uintptr_t code) {
  for (const NativeHook& hook : native_hooks())
    if (hook.code == code) return hook.name;
  for (const LockHook& hook : lock_hooks())
    if (hook.code == code) return hook.name;
  for (const IoHook& hook : io_hooks())
    if (hook.code == code) return hook.name;
  return nullptr;
}

}  // namespace hearth::events
