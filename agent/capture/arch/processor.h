// Facts that differ between processors, as one interface: x86_64/processor.h and aarch64/processor.h define the same
// names.
#pragma once

#if defined(__x86_64__)
#include "capture/arch/x86_64/processor.h"
#elif defined(__aarch64__)
#include "capture/arch/aarch64/processor.h"
#else
#error "hearth knows x86-64 and aarch64"
#endif
