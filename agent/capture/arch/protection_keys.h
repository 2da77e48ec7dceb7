// Memory with protection keys, as V8 gives its code. One implementation for each processor. Signal safe.
#pragma once

#if defined(__x86_64__)
#include "capture/arch/x86_64/protection_keys.h"
#elif defined(__aarch64__)
#include "capture/arch/aarch64/protection_keys.h"
#endif
