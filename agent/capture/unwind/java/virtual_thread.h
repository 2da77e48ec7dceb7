// The virtual thread that a carrier runs: its number and its name, read from the java.lang.Thread object. Signal safe,
// if a FaultHandler is installed.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/owned.h"
#include "capture/unwind/java/vm_layout.h"

namespace hearth::capture {

// Returns Thread.threadId() of the virtual thread that `java_thread` carries, or its own; 0 if it cannot be read.
uint64_t mounted_thread_id(const VmLayout& vm, uintptr_t java_thread);

// The names of sampled virtual threads, each written once, by the signal that saw the thread first.
class VirtualThreadNames {
 public:
  static constexpr uint32_t kMost = 1 << 16;  // later ones are shown by their number

  VirtualThreadNames();

  // Returns Thread.threadId() of the virtual thread that `java_thread` carries, 0 if it cannot be read. Stores its
  // name.
  uint64_t note_mounted(const VmLayout& vm, uintptr_t java_thread);

  // The same for a thread whose number and name are known; the name as note_mounted() would read it.
  void note(uint64_t id, const char* name);

  // Returns "" for a thread without a name. Valid as long as this object.
  const char* name_of(uint64_t id) const;

 private:
  static constexpr uint32_t kNameBytes = 48;  // longer names are cut
  struct Entry {
    std::atomic<uint64_t> id;
    std::atomic<bool> written;
    char name[kNameBytes];
  };
  Entry* find(uint64_t id) const;  // its entry or the free one for it; null: there is none

  Mapping memory_;
  Entry* entries_;
};

}  // namespace hearth::capture
