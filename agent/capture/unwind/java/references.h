// References between objects on the Java heap, in this JVM's encoding. Signal safe, if a FaultHandler is installed.
#pragma once

#include "capture/faults/safe_load.h"
#include "capture/unwind/java/vm_layout.h"

namespace hearth::capture {

// Returns the address in a reference of full width, without the colour bits of generational ZGC.
inline uintptr_t plain_reference(const VmLayout& vm, uintptr_t reference) {
  uintptr_t shift_at = vm.references.colour_shift;
  return shift_at == 0 ? reference : reference >> (load(shift_at) & 63);
}

// Returns the target of the field at `address`; 0: null.
inline uintptr_t load_reference(const VmLayout& vm, uintptr_t address) {
  if (!vm.references.compressed) return plain_reference(vm, load(address));
  uintptr_t narrow = load32(address);
  return narrow == 0 ? 0 : vm.references.narrow_base + (narrow << vm.references.narrow_shift);
}

}  // namespace hearth::capture
