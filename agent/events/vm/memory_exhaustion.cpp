#include "events/vm/memory_exhaustion.h"

#include <atomic>

#include "base/error.h"
#include "base/formatted.h"

namespace hearth::events {
namespace {

std::atomic<uint64_t> g_count{0};

void JNICALL on_exhausted(jvmtiEnv*, JNIEnv*, jint, const void*, const char*) {
  g_count.fetch_add(1, std::memory_order_relaxed);
}

}  // namespace

void MemoryExhaustion::start(JavaVM* java_vm) {
  jvmti_ = JvmtiEnvironment::opened(java_vm);
  jvmtiCapabilities wanted{};
  wanted.can_generate_resource_exhaustion_heap_events = 1;
  wanted.can_generate_resource_exhaustion_threads_events = 1;
  jvmtiEventCallbacks callbacks{};
  callbacks.ResourceExhausted = on_exhausted;
  jvmtiError refused = jvmti_->AddCapabilities(&wanted);
  if (refused == JVMTI_ERROR_NONE) refused = jvmti_->SetEventCallbacks(&callbacks, sizeof callbacks);
  if (refused == JVMTI_ERROR_NONE)
    refused = jvmti_->SetEventNotificationMode(JVMTI_ENABLE, JVMTI_EVENT_RESOURCE_EXHAUSTED, nullptr);
  if (refused == JVMTI_ERROR_NONE) return;
  stop();
  throw Error(formatted("this JVM does not report when it runs out of memory (JVMTI error {})", int{refused}),
              "leave oom out");
}

void MemoryExhaustion::stop() {
  jvmti_.reset();
}

uint64_t MemoryExhaustion::count() {
  return g_count.load(std::memory_order_relaxed);
}

}  // namespace hearth::events
