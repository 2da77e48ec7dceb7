#include "capture/labels/thread_labels.h"

#include "capture/unwind/java/virtual_thread.h"

namespace hearth::capture {
namespace {

thread_local uint32_t t_labels = kNoLabels;
VirtualLabels g_virtual_labels;

}  // namespace

uint32_t current_labels(const VmLayout& vm, const ThreadAccess& access) {
  if (!g_virtual_labels.any()) return t_labels;
  CurrentJavaThread thread(vm, access);
  uint32_t carried = thread.is_java() ? g_virtual_labels.of(mounted_thread_id(vm, thread.address())) : kNoLabels;
  return carried != kNoLabels ? carried : t_labels;
}

uint32_t* label_cell() {
  return &t_labels;
}

VirtualLabels& virtual_labels() {
  return g_virtual_labels;
}

}  // namespace hearth::capture
