#include "symbols/jvm/field_offsets.h"

namespace hearth::symbols {

FieldOffsets::FieldOffsets(JNIEnv* env)
    : env_(env), unsafe_class_(env, env->FindClass("jdk/internal/misc/Unsafe")), unsafe_(env, nullptr) {
  if (clear_exception() || unsafe_class() == nullptr) return;
  jmethodID get = env->GetStaticMethodID(unsafe_class(), "getUnsafe", "()Ljdk/internal/misc/Unsafe;");
  offset_ = env->GetMethodID(unsafe_class(), "objectFieldOffset", "(Ljava/lang/Class;Ljava/lang/String;)J");
  if (clear_exception() || get == nullptr) return;
  unsafe_.reset(env->CallStaticObjectMethod(unsafe_class(), get));
  clear_exception();
}

std::optional<uintptr_t> FieldOffsets::of(jclass holder, const char* name) {
  if (unsafe_.get() == nullptr || offset_ == nullptr) return {};
  LocalRef text(env_, env_->NewStringUTF(name));
  jlong offset = env_->CallLongMethod(unsafe_.get(), offset_, holder, text.get());
  if (clear_exception()) return {};
  return static_cast<uintptr_t>(offset);
}

std::optional<uintptr_t> FieldOffsets::of_byte_arrays() {
  if (unsafe_class() == nullptr) return {};
  jfieldID field = env_->GetStaticFieldID(unsafe_class(), "ARRAY_BYTE_BASE_OFFSET", "I");
  if (clear_exception() || field == nullptr) {
    field = env_->GetStaticFieldID(unsafe_class(), "ARRAY_BYTE_BASE_OFFSET", "J");  // JDK 25 on
    if (clear_exception() || field == nullptr) return {};
    return static_cast<uintptr_t>(env_->GetStaticLongField(unsafe_class(), field));
  }
  return static_cast<uintptr_t>(env_->GetStaticIntField(unsafe_class(), field));
}

bool FieldOffsets::clear_exception() {
  if (env_->ExceptionCheck() == JNI_FALSE) return false;
  env_->ExceptionClear();
  return true;
}

}  // namespace hearth::symbols
