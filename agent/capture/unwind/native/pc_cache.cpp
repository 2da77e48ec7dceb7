#include "capture/unwind/native/pc_cache.h"

#include "capture/faults/safe_load.h"

namespace hearth::capture {

PcCache::PcCache() : memory_(Mapping::reserved(kEntries * sizeof(Entry))), entries_(memory_.as<Entry>()) {}

bool PcCache::find(const VmLayout& vm, uintptr_t pc, bool interrupted, Found* found, Frame* frames) const {
  if (entries_ == nullptr) return false;
  uintptr_t wanted = key(pc, interrupted);
  const Entry* entry = entry_of(wanted);
  uint32_t version = entry->version.load(std::memory_order_acquire);
  if ((version & 1) != 0 || entry->pc != wanted) return false;
  found->blob = entry->blob;
  found->frame_count = entry->frame_count;
  uint32_t compile_id = entry->compile_id;
  if (found->frame_count > kMostFrames) return false;
  std::memcpy(frames, entry->frames, found->frame_count * sizeof(Frame));
  std::atomic_thread_fence(std::memory_order_acquire);
  if (entry->version.load(std::memory_order_relaxed) != version) return false;
  // New code may be placed at the end of a freed block; its header then is unchanged except for the compile id.
  if (!block_is_used(vm, found->blob)) return false;
  return load32(found->blob.address + static_cast<uintptr_t>(vm.nmethod_compile_id), ~compile_id) == compile_id;
}

void PcCache::put(const VmLayout& vm, uintptr_t pc, bool interrupted, const CodeBlob& blob, const Frame* frames,
                  uint32_t count) {
  if (entries_ == nullptr || count > kMostFrames) return;
  Entry* entry = entry_of(key(pc, interrupted));
  uint32_t version = entry->version.load(std::memory_order_relaxed);
  if ((version & 1) != 0 || !entry->version.compare_exchange_strong(version, version + 1, std::memory_order_acquire,
                                                                    std::memory_order_relaxed))
    return;
  entry->compile_id = load32(blob.address + static_cast<uintptr_t>(vm.nmethod_compile_id));
  entry->pc = key(pc, interrupted);
  entry->blob = blob;
  entry->frame_count = count;
  std::memcpy(entry->frames, frames, count * sizeof(Frame));
  entry->version.store(version + 2, std::memory_order_release);
}

}  // namespace hearth::capture
