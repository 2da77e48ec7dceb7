// Calls of Java methods whose exceptions become Error, with the exception's text. Its end returns all local references
// that it made. On an attached thread.
#pragma once

#include <jni.h>

#include <cstdint>
#include <string>

#include "base/jvm_refs.h"

namespace hearth::commands {

class JavaCalls {
 public:
  explicit JavaCalls(JNIEnv* env);
  JavaCalls(const JavaCalls&) = delete;
  JavaCalls& operator=(const JavaCalls&) = delete;
  ~JavaCalls();

  JNIEnv* env() const { return env_; }
  jclass type(const char* name);
  jstring text(const std::string& text);
  std::string text_of(jstring text);
  std::string string_of(jobject object);  // Object.toString()

  // `self`: an object of the class. Arguments as JNI has them.
  template <typename... Args>
  jobject make(const char* name, const char* signature, Args... args) {
    jclass of = type(name);
    return checked(env_->NewObject(of, method(of, "<init>", signature), args...));
  }
  template <typename... Args>
  jobject object(jobject self, const char* name, const char* called, const char* signature, Args... args) {
    return checked(env_->CallObjectMethod(self, method(type(name), called, signature), args...));
  }
  template <typename... Args>
  void call(jobject self, const char* name, const char* called, const char* signature, Args... args) {
    env_->CallVoidMethod(self, method(type(name), called, signature), args...);
    check();
  }
  bool boolean(jobject self, const char* name, const char* called, const char* signature);
  int64_t long_of(jobject self, const char* name, const char* called, const char* signature);
  template <typename... Args>
  jobject static_object(const char* name, const char* called, const char* signature, Args... args) {
    jclass of = type(name);
    return checked(env_->CallStaticObjectMethod(of, static_method(of, called, signature), args...));
  }
  int64_t static_long(const char* name, const char* called, const char* signature);

 private:
  jmethodID method(jclass of, const char* name, const char* signature);
  jmethodID static_method(jclass of, const char* name, const char* signature);
  void check();
  template <typename Value>
  Value checked(Value value) {
    check();
    return value;
  }

  JNIEnv* env_;
};

}  // namespace hearth::commands
