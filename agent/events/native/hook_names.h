// Names of the functions that hooks stand for, in stacks.
#pragma once

#include <cstdint>

namespace hearth::events {

// The function of the C library that this hook is called for; null: the code is no hook.
const char* hooked_function(uintptr_t code);

}  // namespace hearth::events
