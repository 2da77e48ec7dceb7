// Protection keys of x86-64. Included by arch/protection_keys.h.
#pragma once

#include <cpuid.h>

#include <cstdint>

namespace hearth::capture {

// Whether the kernel has turned protection keys on: OSPKE, bit 4 of ecx in CPUID's leaf 7. CPUID ends the running
// of a virtual machine for a moment, so this is not for signal handlers.
inline bool uses_protection_keys() {
  constexpr unsigned kFeatures = 7;
  constexpr unsigned kOsPke = 1U << 4;
  unsigned eax = 0;
  unsigned ebx = 0;
  unsigned ecx = 0;
  unsigned edx = 0;
  return __get_cpuid_count(kFeatures, 0, &eax, &ebx, &ecx, &edx) != 0 && (ecx & kOsPke) != 0;
}

// Lets this thread read memory of all protection keys in this scope. The kernel starts signal handlers without the
// right to memory of any key but 0 (pkeys(7)), also where the interrupted code had it. `in_use`:
// uses_protection_keys().
class ReadableKeys {
 public:
  explicit ReadableKeys(bool in_use) : rights_(in_use ? rights() : 0) {
    uint32_t no_access = rights_ & kNoAccess;
    if (no_access != 0) set_rights((rights_ & ~kNoAccess) | no_access << 1);
  }
  ReadableKeys(const ReadableKeys&) = delete;
  ReadableKeys& operator=(const ReadableKeys&) = delete;
  ~ReadableKeys() {
    if ((rights_ & kNoAccess) != 0) set_rights(rights_);
  }

 private:
  // Two bits for each key: no access, and no writes.
  static constexpr uint32_t kNoAccess = 0x55555555;

  static uint32_t rights() {
    uint32_t rights = 0;
    uint32_t zero = 0;
    asm volatile("rdpkru" : "=a"(rights), "=d"(zero) : "c"(0));
    return rights;
  }
  static void set_rights(uint32_t rights) { asm volatile("wrpkru" : : "a"(rights), "c"(0), "d"(0) : "memory"); }

  uint32_t rights_;
};

}  // namespace hearth::capture
