#include "events/alloc/class_numbers.h"

#include "base/jvm_refs.h"
#include "capture/faults/safe_load.h"
#include "capture/unwind/java/extra_frames.h"

namespace hearth::events {
namespace {

enum State : uint32_t { kFree, kWritten, kReadable };

uint32_t entry_of(uintptr_t klass, uint32_t entries) {
  constexpr uint64_t kMix = 0x9e3779b97f4a7c15;
  constexpr int kUpper = 32;
  return static_cast<uint32_t>((klass * kMix) >> kUpper) % entries;
}

}  // namespace

uint32_t ClassNumbers::ask(jvmtiEnv* jvmti, jclass its_class) {
  char* signature = nullptr;
  if (jvmti->GetClassSignature(its_class, &signature, nullptr) != JVMTI_ERROR_NONE) return capture::NameTable::kNone;
  JvmtiMemory owned(jvmti, signature);
  return names_->number_of(signature);
}

// A collection may move the object meanwhile and another may be in its place: its Klass only selects the entry to
// check.
uint32_t ClassNumbers::number_of(jvmtiEnv* jvmti, JNIEnv* env, jobject object, jclass its_class) {
  uintptr_t klass = capture::class_of(*layout_, capture::load(reinterpret_cast<uintptr_t>(object)));
  if (klass == 0) return ask(jvmti, its_class);
  Known& known = known_[entry_of(klass, kEntries)];
  uint32_t state = known.state.load(std::memory_order_acquire);
  if (state == kReadable && known.klass == klass && env->IsSameObject(known.reference, its_class) == JNI_TRUE)
    return known.number;
  uint32_t number = ask(jvmti, its_class);
  if (state != kFree || number == capture::NameTable::kNone) return number;
  if (!known.state.compare_exchange_strong(state, kWritten, std::memory_order_relaxed)) return number;
  known.klass = klass;
  known.number = number;
  known.reference = env->NewWeakGlobalRef(its_class);
  if (known.reference == nullptr) env->ExceptionClear();  // out of memory: the program must not see it
  known.state.store(known.reference == nullptr ? kFree : kReadable, std::memory_order_release);
  return number;
}

void ClassNumbers::clear(JNIEnv* env) {
  for (Known& known : known_) {
    if (known.state.exchange(kFree) == kReadable) env->DeleteWeakGlobalRef(known.reference);
  }
}

void ClassNumbers::clear(JavaVM* java_vm) {
  JvmAttachment attachment(java_vm, "hearth");
  if (attachment.env() != nullptr) clear(attachment.env());
}

}  // namespace hearth::events
