// Cache of the frames at a pc in compiled code: decoding debug information costs a microsecond of cold memory, and the
// same call sites are in every sample. Signal safe, lock free; shared by all threads.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstring>

#include "base/owned.h"
#include "capture/frame.h"
#include "capture/unwind/java/code_cache.h"

namespace hearth::capture {

class PcCache {
 public:
  // Memory is touched as it fills, about 3 MB in total. Without memory find() fails.
  PcCache();

  struct Found {
    CodeBlob blob;
    uint32_t frame_count = 0;
  };
  // Copies the frames of `pc` to `frames`. False if they are not cached, or if the code has been replaced since.
  bool find(const VmLayout& vm, uintptr_t pc, bool interrupted, Found* found, Frame* frames) const;
  void put(const VmLayout& vm, uintptr_t pc, bool interrupted, const CodeBlob& blob, const Frame* frames,
           uint32_t count);

  // Visits the reserved memory, for measurements.
  template <typename Visit>
  void visit_memory(const Visit& visit) const {
    visit(memory_);
  }

 private:
  static constexpr uint32_t kEntries = 1 << 13;
  static constexpr uint32_t kMostFrames = 18;

  struct Entry {
    std::atomic<uint32_t> version;  // odd while a thread writes
    uint32_t compile_id;
    uintptr_t pc;  // highest bit: an interrupted pc instead of a return address
    CodeBlob blob;
    uint32_t frame_count;
    Frame frames[kMostFrames];
  };

  static uintptr_t key(uintptr_t pc, bool interrupted) { return pc | (interrupted ? uintptr_t{1} << 63 : 0); }
  Entry* entry_of(uintptr_t key) const {
    return entries_ + ((key * 0x9e3779b97f4a7c15ULL) >> 51);  // the upper 13 bits
  }

  Mapping memory_;
  Entry* entries_;
};

}  // namespace hearth::capture
