#include "capture/thread_labels.h"

#include "capture/unwind/virtual_thread.h"

namespace hearth::capture {
namespace {

__attribute__((tls_model("initial-exec"))) thread_local uint32_t t_labels = kNoLabels;

}  // namespace

VirtualLabels g_virtual_labels;

uint32_t current_labels(const VmLayout& vm, const ThreadAccess& access) {
  uint32_t own = t_labels;
  if (own != kNoLabels || !g_virtual_labels.any()) return own;
  CurrentJavaThread thread(vm, access);
  return thread.is_java() ? g_virtual_labels.of(mounted_thread_id(vm, thread.address())) : kNoLabels;
}

uint32_t* label_cell() {
  return &t_labels;
}

// Numbers are given in order: those that live at one time lie beside each other. What was given back leaves a hole, so
// a look never ends at a free cell.
uint32_t VirtualLabels::index_of(uint64_t thread) const {
  for (uint64_t probe = 0; thread != 0 && probe < kProbes; probe++) {
    uint64_t at = (thread + probe) % kMost;
    if (cells_[at].thread.load(std::memory_order_relaxed) == thread) return static_cast<uint32_t>(at);
  }
  return kMost;
}

uint32_t* VirtualLabels::take_cell(uint64_t thread) {
  if (thread == 0 || index_of(thread) != kMost) return nullptr;
  for (uint64_t probe = 0; probe < kProbes; probe++) {
    Cell* cell = &cells_[(thread + probe) % kMost];
    uint64_t nobody = 0;
    if (!cell->thread.compare_exchange_strong(nobody, thread, std::memory_order_acq_rel)) continue;
    taken_.fetch_add(1, std::memory_order_relaxed);
    return &cell->labels;
  }
  return nullptr;
}

void VirtualLabels::give_back(uint64_t thread) {
  uint32_t index = index_of(thread);
  if (index == kMost) return;
  cells_[index].labels = kNoLabels;
  cells_[index].thread.store(0, std::memory_order_release);
  taken_.fetch_sub(1, std::memory_order_relaxed);
}

uint32_t VirtualLabels::of(uint64_t thread) const {
  uint32_t index = index_of(thread);
  return index == kMost ? kNoLabels : cells_[index].labels;
}

}  // namespace hearth::capture
