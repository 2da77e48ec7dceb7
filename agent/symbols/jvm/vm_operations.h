// The operations for which HotSpot stops Java threads at safepoints, by names of its classes: VM_G1CollectForAllocation
// and so on (share/runtime/vmOperations.hpp). The JVM exports neither; its symbol table has both, where it is not
// stripped.
#pragma once

#include <cstdint>
#include <string>

#include "symbols/elf/native_modules.h"

namespace hearth::symbols {

// Returns the address of the variable that points to the operation which the VM thread executes (JDK 8 to 27,
// share/runtime/vmThread.hpp: _cur_vm_operation); 0: it is not known. `in_libjvm`: any address in the library. Reads
// its file: some milliseconds.
uintptr_t current_operation_variable(uintptr_t in_libjvm);

// Returns the name of the operation with this table of virtual functions, without VM_: "G1CollectForAllocation"; "" if
// `vtable` is none in the same library.
std::string operation_name(NativeModules* modules, uintptr_t vtable, uintptr_t in_libjvm);

}  // namespace hearth::symbols
