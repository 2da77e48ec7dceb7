#include "symbols/jvm/virtual_thread_layout.h"

#include <optional>

#include "base/jvm_refs.h"

namespace hearth::symbols {
namespace {

// Offsets of fields from jdk.internal.misc.Unsafe (objectFieldOffset, JDK 10 on).
class FieldOffsets {
 public:
  explicit FieldOffsets(JNIEnv* env)
      : env_(env), unsafe_class_(env, env->FindClass("jdk/internal/misc/Unsafe")), unsafe_(env, nullptr) {
    if (clear_exception() || unsafe_class() == nullptr) return;
    jmethodID get = env->GetStaticMethodID(unsafe_class(), "getUnsafe", "()Ljdk/internal/misc/Unsafe;");
    offset_ = env->GetMethodID(unsafe_class(), "objectFieldOffset", "(Ljava/lang/Class;Ljava/lang/String;)J");
    if (clear_exception() || get == nullptr) return;
    unsafe_.reset(env->CallStaticObjectMethod(unsafe_class(), get));
    clear_exception();
  }

  std::optional<uintptr_t> of(jclass holder, const char* name) {
    if (unsafe_.get() == nullptr || offset_ == nullptr) return {};
    LocalRef text(env_, env_->NewStringUTF(name));
    jlong offset = env_->CallLongMethod(unsafe_.get(), offset_, holder, text.get());
    if (clear_exception()) return {};
    return static_cast<uintptr_t>(offset);
  }

  // Returns the offset of the first element of a byte[].
  std::optional<uintptr_t> of_byte_arrays() {
    if (unsafe_class() == nullptr) return {};
    jfieldID field = env_->GetStaticFieldID(unsafe_class(), "ARRAY_BYTE_BASE_OFFSET", "I");
    if (clear_exception() || field == nullptr) {
      field = env_->GetStaticFieldID(unsafe_class(), "ARRAY_BYTE_BASE_OFFSET", "J");  // JDK 25 on
      if (clear_exception() || field == nullptr) return {};
      return static_cast<uintptr_t>(env_->GetStaticLongField(unsafe_class(), field));
    }
    return static_cast<uintptr_t>(env_->GetStaticIntField(unsafe_class(), field));
  }

 private:
  jclass unsafe_class() const { return static_cast<jclass>(unsafe_class_.get()); }
  bool clear_exception() {
    if (env_->ExceptionCheck() == JNI_FALSE) return false;
    env_->ExceptionClear();
    return true;
  }

  JNIEnv* env_;
  LocalRef unsafe_class_;
  LocalRef unsafe_;
  jmethodID offset_ = nullptr;
};

capture::ContinuationLayout find_continuations(JNIEnv* env, const VmStructs& structs,
                                               const capture::ReferenceLayout& references) {
  capture::ContinuationLayout layout;
  LocalRef continuation_ref(env, env->FindClass("jdk/internal/vm/Continuation"));
  LocalRef chunk_ref(env, continuation_ref.get() == nullptr ? nullptr : env->FindClass("jdk/internal/vm/StackChunk"));
  if (env->ExceptionCheck() != JNI_FALSE) env->ExceptionClear();
  auto* continuation = static_cast<jclass>(continuation_ref.get());
  auto* chunk = static_cast<jclass>(chunk_ref.get());
  if (continuation == nullptr || chunk == nullptr) return layout;
  jmethodID enter = env->GetStaticMethodID(continuation, "enterSpecial", "(Ljdk/internal/vm/Continuation;ZZ)V");
  if (env->ExceptionCheck() != JNI_FALSE) env->ExceptionClear();
  if (enter == nullptr) return layout;
  layout.enter_special = reinterpret_cast<uint64_t>(enter);
  layout.entry_size = structs.continuation_entry_size();
  layout.return_barrier = structs.return_barrier();
  FieldOffsets offsets(env);
  auto tail = offsets.of(continuation, "tail");
  auto parent = offsets.of(chunk, "parent");
  auto size = offsets.of(chunk, "size");
  auto sp = offsets.of(chunk, "sp");
  uintptr_t instance_size = structs.instance_size(*reinterpret_cast<uintptr_t*>(chunk));
  if (!tail || !parent || !size || !sp || instance_size == 0 || !references.known) return layout;
  layout.continuation_tail = *tail;
  layout.chunk_parent = *parent;
  layout.chunk_size = *size;
  layout.chunk_sp = *sp;
  layout.chunk_stack = instance_size;
  layout.known = true;
  return layout;
}

capture::ThreadObjectLayout find_thread_objects(JNIEnv* env, const VmStructs& structs,
                                                const capture::ReferenceLayout& references,
                                                const capture::ClassLayout& classes) {
  capture::ThreadObjectLayout layout;
  int mounted = structs.mounted_thread_offset();
  LocalRef thread_ref(env, env->FindClass("java/lang/Thread"));
  LocalRef string_ref(env, env->FindClass("java/lang/String"));
  FieldOffsets offsets(env);
  auto* thread = static_cast<jclass>(thread_ref.get());
  auto* string = static_cast<jclass>(string_ref.get());
  auto id = offsets.of(thread, "tid");
  auto name = offsets.of(thread, "name");
  auto value = offsets.of(string, "value");
  auto coder = offsets.of(string, "coder");
  auto base = offsets.of_byte_arrays();
  if (mounted < 0 || !references.known || !id || !name || !value || !coder || !base) return layout;
  layout.mounted = static_cast<uintptr_t>(mounted);
  layout.thread_id = *id;
  layout.name = *name;
  layout.string_value = *value;
  layout.string_coder = *coder;
  layout.array_base = *base;
  // The length follows the class, which has 8, 4 or 0 bytes after the mark word.
  constexpr uintptr_t kMarkBytes = 8;
  layout.array_length = kMarkBytes + (classes.in_header ? 0 : classes.compressed ? 4 : 8);
  layout.known = true;
  return layout;
}

}  // namespace

void find_virtual_threads(JNIEnv* env, const VmStructs& structs, capture::VmLayout* vm) {
  vm->references = structs.reference_layout();
  vm->continuations = find_continuations(env, structs, vm->references);
  vm->thread_objects = find_thread_objects(env, structs, vm->references, vm->classes);
}

}  // namespace hearth::symbols
