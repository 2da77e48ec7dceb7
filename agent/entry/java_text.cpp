#include "entry/java_text.h"

#include <cstdint>
#include <stdexcept>

#include "base/jvm_refs.h"

namespace hearth::entry {
namespace {

constexpr const char* kUtf8 = "UTF-8";

// Null with a pending exception on failure.
jobject charset_name(JNIEnv* env) {
  return env->NewStringUTF(kUtf8);
}

}  // namespace

std::string text_of(JNIEnv* env, jbyteArray bytes) {
  std::string text(static_cast<size_t>(env->GetArrayLength(bytes)), '\0');
  env->GetByteArrayRegion(bytes, 0, static_cast<jsize>(text.size()), reinterpret_cast<jbyte*>(text.data()));
  return text;
}

jbyteArray bytes_of(JNIEnv* env, const std::string& text) {
  if (text.size() > INT32_MAX) throw std::length_error("the answer is too long for an array; give it a file=");
  auto size = static_cast<jsize>(text.size());
  jbyteArray bytes = env->NewByteArray(size);
  if (bytes != nullptr) env->SetByteArrayRegion(bytes, 0, size, reinterpret_cast<const jbyte*>(text.data()));
  return bytes;
}

// Java converts: JNI's own conversion is to another encoding (modified UTF-8).
std::string text_of(JNIEnv* env, jstring text) {
  if (text == nullptr) {
    throw_java(env, "java/lang/NullPointerException", "a text is null");
    return "";
  }
  LocalRef type(env, env->GetObjectClass(text));
  LocalRef name(env, charset_name(env));
  jmethodID get_bytes = env->GetMethodID(static_cast<jclass>(type.get()), "getBytes", "(Ljava/lang/String;)[B");
  if (name.get() == nullptr || get_bytes == nullptr) return "";
  LocalRef bytes(env, env->CallObjectMethod(text, get_bytes, name.get()));
  return bytes.get() == nullptr ? "" : text_of(env, static_cast<jbyteArray>(bytes.get()));
}

jstring string_of(JNIEnv* env, const std::string& text) {
  LocalRef type(env, env->FindClass("java/lang/String"));
  LocalRef name(env, charset_name(env));
  LocalRef bytes(env, bytes_of(env, text));
  if (type.get() == nullptr || name.get() == nullptr || bytes.get() == nullptr) return nullptr;
  auto* string = static_cast<jclass>(type.get());
  jmethodID make = env->GetMethodID(string, "<init>", "([BLjava/lang/String;)V");
  if (make == nullptr) return nullptr;
  return static_cast<jstring>(env->NewObject(string, make, bytes.get(), name.get()));
}

void throw_java(JNIEnv* env, const char* exception, const char* why) {
  LocalRef type(env, env->FindClass(exception));
  if (type.get() != nullptr) env->ThrowNew(static_cast<jclass>(type.get()), why);
}

}  // namespace hearth::entry
