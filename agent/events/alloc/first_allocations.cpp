#include "events/alloc/first_allocations.h"

#include <algorithm>
#include <optional>

#include "base/jvm_refs.h"
#include "capture/faults/safe_load.h"
#include "events/event_source.h"

namespace hearth::events {
namespace {

// Interval that all threads drew by; empty: by several.
std::optional<int64_t> g_drawn_by = kUsualAllocationInterval;

}  // namespace

void set_first_interval(JavaVM* java_vm, int64_t interval) {
  JvmtiEnvironment jvmti(java_vm, JVMTI_VERSION_11);
  if (!jvmti) return;
  jvmtiCapabilities wanted{};
  wanted.can_generate_sampled_object_alloc_events = 1;
  if (jvmti->AddCapabilities(&wanted) == JVMTI_ERROR_NONE &&
      jvmti->SetHeapSamplingInterval(static_cast<jint>(interval)) == JVMTI_ERROR_NONE)
    g_drawn_by = interval;
}

bool all_drew_by(int64_t interval) {
  bool all = g_drawn_by == interval;
  if (!all || interval != kUsualAllocationInterval) g_drawn_by.reset();
  return all;
}

void leave_tlab(JNIEnv* env, const capture::AllocationLayout& layout, uintptr_t thread) {
  if (!layout.known || !layout.has_tlab_limits || !layout.uses_tlabs) return;
  constexpr int kMost = 16;
  constexpr int64_t kHeader = 24;  // of an array, with the rounding of its size
  uintptr_t first = capture::load(thread + layout.tlab_start);
  for (int i = 0; i < kMost && capture::load(thread + layout.tlab_start) == first; i++) {
    auto left = static_cast<int64_t>(capture::load(thread + layout.tlab_end) - capture::load(thread + layout.tlab_top));
    LocalRef filler(env, env->NewByteArray(static_cast<jsize>(std::max<int64_t>(left - kHeader, 0))));
    if (filler.get() != nullptr) continue;
    env->ExceptionClear();
    return;
  }
}

}  // namespace hearth::events
