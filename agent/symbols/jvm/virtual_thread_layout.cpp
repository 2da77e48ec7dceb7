#include "symbols/jvm/virtual_thread_layout.h"

#include "base/jvm_refs.h"
#include "symbols/jvm/field_offsets.h"

namespace hearth::symbols {
namespace {

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
