// Which virtual thread a carrier runs: its number and its name, read from the java.lang.Thread object. Signal safe,
// given a FaultHandler.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/owned.h"
#include "capture/unwind/java/vm_layout.h"

namespace hearth::capture {

// Thread.threadId() of the virtual thread that `java_thread` carries, or its own; 0 when it cannot be read. Signal
// safe, given a FaultHandler.
uint64_t mounted_thread_id(const VmLayout& vm, uintptr_t java_thread);

// The names of the virtual threads that were seen, each written once, by the signal that saw it first.
class VirtualThreadNames {
 public:
  static constexpr uint32_t kMost = 1 << 16;  // later ones go by their number

  VirtualThreadNames();

  // Thread.threadId() of the virtual thread that `java_thread` carries, 0 when it cannot be read; its name is kept.
  uint64_t note_mounted(const VmLayout& vm, uintptr_t java_thread);

  // "" for one without a name. Lives as long as this does.
  const char* name_of(uint64_t id) const;

 private:
  static constexpr uint32_t kNameBytes = 48;  // of a longer name the beginning
  struct Entry {
    std::atomic<uint64_t> id;
    std::atomic<bool> written;
    char name[kNameBytes];
  };
  Entry* find(uint64_t id) const;  // its own or the free place for it; null: there is none

  Mapping memory_;
  Entry* entries_;
};

}  // namespace hearth::capture
