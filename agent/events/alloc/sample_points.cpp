#include "events/alloc/sample_points.h"

#include <atomic>
#include <initializer_list>
#include <memory>

#include "base/jvm_refs.h"
#include "capture/faults/safe_load.h"
#include "events/vm/collection_events.h"
#include "events/vm/forced_collections.h"

namespace hearth::events {
namespace {

// State for the pause; null: the pause is not one of ours.
struct Bringing {
  capture::VmLayout layout;
  capture::ThreadAccess access;
  bool done = false;
};
std::atomic<Bringing*> g_bringing{nullptr};

bool is_java_thread(uintptr_t thread, const capture::ThreadAccess& access) {
  return access.env_functions != 0 &&
         capture::load(thread + static_cast<uintptr_t>(access.env_offset)) == access.env_functions;
}

void bring_point(void* with, uintptr_t thread) {
  auto* bringing = static_cast<Bringing*>(with);
  if (!is_java_thread(thread, bringing->access)) return;
  *reinterpret_cast<uint64_t*>(thread + bringing->layout.allocations.sample_point) = 0;
  bringing->done = true;
}

// Runs in the pause: must not call the JVM, nor throw.
void JNICALL on_collection(jvmtiEnv*) {
  Bringing* bringing = g_bringing.load();
  if (bringing == nullptr) return;
  visit_listed_threads(bringing->layout.thread_list, bring_point, bringing);
}

// Allocates an object that passes most points. False: the program's heap is full.
bool allocate(JNIEnv* env) {
  constexpr jint kBytes = 256 << 10;
  LocalRef object(env, env->NewByteArray(kBytes));
  if (object.get() == nullptr) env->ExceptionClear();
  return object.get() != nullptr;
}

// Interval 0 sets the next point to 0, in JDK 11 to 1.
bool is_due(uint64_t point) {
  return point <= 1;
}

// Makes the calling thread pass points at this interval until the word follows it: zero or not. False: it does not.
bool follows(JNIEnv* env, uintptr_t word, bool is_zero) {
  constexpr int kMost = 100;  // objects, many times the distance to any point drawn by the usual interval
  int objects = 0;
  while (is_due(capture::load(word)) != is_zero) {
    if (++objects > kMost || !allocate(env)) return false;
  }
  return true;
}

}  // namespace

bool holds_sample_point(JNIEnv* env, jvmtiEnv* sampler, uintptr_t word, int64_t interval) {
  constexpr jint kSome = 64 << 10;
  auto last = static_cast<jint>(interval);
  bool holds = true;
  for (jint next : {0, kSome, 0, last})
    holds = holds && sampler->SetHeapSamplingInterval(next) == JVMTI_ERROR_NONE && follows(env, word, next == 0);
  return sampler->SetHeapSamplingInterval(last) == JVMTI_ERROR_NONE && holds;
}

void visit_listed_threads(const capture::ThreadListLayout& layout, void (*visit)(void* with, uintptr_t thread),
                          void* with) {
  constexpr uint32_t kMost = 1 << 20;
  if (!layout.known) return;
  uintptr_t list = capture::load(layout.list);
  if (layout.is_chain) {
    for (uint32_t i = 0; list != 0 && i < kMost; i++, list = capture::load(list + layout.next)) visit(with, list);
    return;
  }
  uint32_t length = list == 0 ? 0 : capture::load32(list + layout.length);
  uintptr_t array = list == 0 ? 0 : capture::load(list + layout.threads);
  for (uint32_t i = 0; i < length && i < kMost; i++) visit(with, capture::load(array + i * sizeof(uintptr_t)));
}

bool bring_sample_points_here(JavaVM* java_vm, jvmtiEnv* sampler, const capture::VmLayout& layout,
                              const capture::ThreadAccess& access) {
  JNIEnv* env = nullptr;
  if (!layout.thread_list.known || !layout.allocations.known) return false;
  if (java_vm->GetEnv(reinterpret_cast<void**>(&env), JNI_VERSION_1_8) != JNI_OK) return false;
  capture::CurrentJavaThread self(layout, access);
  if (!self.is_java() || !holds_sample_point(env, sampler, self.address() + layout.allocations.sample_point, 0))
    return false;
  auto bringing = std::make_unique<Bringing>(Bringing{layout, access});
  g_bringing = bringing.get();
  bool is_collected = false;
  {
    CollectionEvents events(java_vm, nullptr, on_collection);
    is_collected = ForcedCollections::instance().collect();
  }
  g_bringing = nullptr;
  if (is_collected) return bringing->done;
  [[maybe_unused]] Bringing* leaked = bringing.release();  // the JVM ends: a pause in progress may use it
  return false;
}

}  // namespace hearth::events
