#include "session/counting/living_threads.h"

#include "base/jvm_refs.h"
#include "capture/faults/safe_load.h"
#include "events/alloc/allocation_weight.h"

namespace hearth::session {
namespace {

// The values of a thread that ends meanwhile are arbitrary.
int tid_of(const symbols::VmStructs& structs, uintptr_t java_thread) {
  int osthread_at = structs.osthread_offset();
  int id_at = structs.thread_id_offset_in_osthread();
  if (java_thread == 0 || osthread_at < 0 || id_at < 0) return 0;
  uintptr_t osthread = capture::load(java_thread + static_cast<uintptr_t>(osthread_at));
  return static_cast<int>(capture::load32(osthread + static_cast<uintptr_t>(id_at)));
}

}  // namespace

std::string thread_name(jvmtiEnv* jvmti, JNIEnv* env, jthread thread) {
  jvmtiThreadInfo info{};
  if (jvmti->GetThreadInfo(thread, &info) != JVMTI_ERROR_NONE) return "";
  JvmtiMemory owned_name(jvmti, info.name);
  LocalRef owned_group(env, info.thread_group);
  LocalRef owned_loader(env, info.context_class_loader);
  return info.name;
}

int tid_of_thread(const vm::Vm& vm, JNIEnv* env, jthread thread) {
  return tid_of(*vm.structs, symbols::java_thread_of(env, thread));
}

std::vector<LivingThread> living_threads(const vm::Vm& vm, JNIEnv* env) {
  std::vector<LivingThread> living;
  jint count = 0;
  jthread* threads = nullptr;
  if (vm.jvmti->GetAllThreads(&count, &threads) != JVMTI_ERROR_NONE) return living;
  JvmtiMemory owned(vm.jvmti, threads);
  announce_local_refs(env, count);
  for (jint i = 0; i < count; i++) {
    LocalRef owned_thread(env, threads[i]);
    uintptr_t java_thread = symbols::java_thread_of(env, threads[i]);
    int tid = tid_of(*vm.structs, java_thread);
    int64_t bytes = events::allocated_bytes(vm.layout.allocations, java_thread);
    // An ending thread leaves its object before its JavaThread is freed: the reading is valid if the object still has
    // it.
    if (symbols::java_thread_of(env, threads[i]) != java_thread) continue;
    std::string name = thread_name(vm.jvmti, env, threads[i]);
    // The name of main when it only waits for the other threads (share/runtime/java.cpp).
    if (tid > 0 && name != "DestroyJavaVM") living.push_back({tid, std::move(name), bytes});
  }
  return living;
}

}  // namespace hearth::session
