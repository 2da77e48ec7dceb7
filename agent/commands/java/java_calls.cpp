#include "commands/java/java_calls.h"

#include "base/error.h"

namespace hearth::commands {

JavaCalls::JavaCalls(JNIEnv* env) : env_(env) {
  constexpr jint kUsual = 64;
  if (env->PushLocalFrame(kUsual) != JNI_OK) {
    env->ExceptionClear();
    throw Error("the JVM has no memory for references");
  }
}

JavaCalls::~JavaCalls() {
  env_->PopLocalFrame(nullptr);
}

jclass JavaCalls::type(const char* name) {
  return checked(env_->FindClass(name));
}

jstring JavaCalls::text(const std::string& text) {
  return checked(env_->NewStringUTF(text.c_str()));
}

std::string JavaCalls::text_of(jstring text) {
  if (text == nullptr) return "";
  const char* characters = env_->GetStringUTFChars(text, nullptr);
  if (characters == nullptr) {
    env_->ExceptionClear();
    return "";
  }
  std::string copy = characters;
  env_->ReleaseStringUTFChars(text, characters);
  return copy;
}

std::string JavaCalls::string_of(jobject object) {
  jmethodID to_string = env_->GetMethodID(type("java/lang/Object"), "toString", "()Ljava/lang/String;");
  LocalRef text(env_, env_->CallObjectMethod(object, to_string));
  if (env_->ExceptionCheck() == JNI_FALSE) return text_of(static_cast<jstring>(text.get()));
  env_->ExceptionClear();
  return "";
}

bool JavaCalls::boolean(jobject self, const char* name, const char* called, const char* signature) {
  return checked(env_->CallBooleanMethod(self, method(type(name), called, signature))) != JNI_FALSE;
}

int64_t JavaCalls::long_of(jobject self, const char* name, const char* called, const char* signature) {
  return checked(env_->CallLongMethod(self, method(type(name), called, signature)));
}

int64_t JavaCalls::static_long(const char* name, const char* called, const char* signature) {
  jclass of = type(name);
  return checked(env_->CallStaticLongMethod(of, static_method(of, called, signature)));
}

jmethodID JavaCalls::method(jclass of, const char* name, const char* signature) {
  return checked(env_->GetMethodID(of, name, signature));
}

jmethodID JavaCalls::static_method(jclass of, const char* name, const char* signature) {
  return checked(env_->GetStaticMethodID(of, name, signature));
}

void JavaCalls::check() {
  jthrowable thrown = env_->ExceptionOccurred();
  if (thrown == nullptr) return;
  env_->ExceptionClear();
  throw Error(string_of(thrown));
}

}  // namespace hearth::commands
