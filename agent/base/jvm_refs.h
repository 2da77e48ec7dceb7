// Owners of memory and references that the JVM lends, which they return at the end of their scope. On an attached
// thread.
#pragma once

#include <jvmti.h>

#include <string>
#include <utility>

#include "base/error.h"

namespace hearth {

// A JVMTI environment of its own: its end returns its capabilities and callbacks to the JVM. Needs no attached thread.
class JvmtiEnvironment {
 public:
  JvmtiEnvironment() = default;
  // Empty if the JVM has no environment of this version.
  JvmtiEnvironment(JavaVM* vm, jint version) {
    if (vm->GetEnv(reinterpret_cast<void**>(&jvmti_), version) != JNI_OK) jvmti_ = nullptr;
  }
  // Throws Error in place of an empty one.
  static JvmtiEnvironment opened(JavaVM* vm) {
    JvmtiEnvironment jvmti(vm, JVMTI_VERSION_1_2);
    if (!jvmti) throw Error("this JVM accepts no further JVMTI environment", "restart the JVM");
    return jvmti;
  }
  JvmtiEnvironment(JvmtiEnvironment&& other) noexcept : jvmti_(std::exchange(other.jvmti_, nullptr)) {}
  JvmtiEnvironment& operator=(JvmtiEnvironment&& other) noexcept {
    if (this != &other) {
      reset();
      jvmti_ = std::exchange(other.jvmti_, nullptr);
    }
    return *this;
  }
  ~JvmtiEnvironment() { reset(); }

  jvmtiEnv* get() const { return jvmti_; }
  jvmtiEnv* operator->() const { return jvmti_; }
  explicit operator bool() const { return jvmti_ != nullptr; }
  void reset() {
    if (jvmti_ != nullptr) std::exchange(jvmti_, nullptr)->DisposeEnvironment();
  }

 private:
  jvmtiEnv* jvmti_ = nullptr;
};

class JvmtiMemory {
 public:
  JvmtiMemory(jvmtiEnv* jvmti, void* memory) : jvmti_(jvmti), memory_(memory) {}
  JvmtiMemory(const JvmtiMemory&) = delete;
  JvmtiMemory& operator=(const JvmtiMemory&) = delete;
  ~JvmtiMemory() {
    if (memory_ != nullptr) jvmti_->Deallocate(static_cast<unsigned char*>(memory_));
  }

 private:
  jvmtiEnv* jvmti_;
  void* memory_;
};

// Returns "" if the JVM has no such property.
inline std::string system_property(jvmtiEnv* jvmti, const char* name) {
  char* value = nullptr;
  if (jvmti->GetSystemProperty(name, &value) != JVMTI_ERROR_NONE) return "";
  JvmtiMemory owned(jvmti, value);
  return value;
}

// Returns the main class or the jar, without its arguments: those may contain passwords.
inline std::string program_of(jvmtiEnv* jvmti) {
  std::string command = system_property(jvmti, "sun.java.command");
  return command.substr(0, command.find(' '));
}

class LocalRef {
 public:
  LocalRef(JNIEnv* env, jobject object) : env_(env), object_(object) {}
  LocalRef(const LocalRef&) = delete;
  LocalRef& operator=(const LocalRef&) = delete;
  ~LocalRef() { reset(nullptr); }

  jobject get() const { return object_; }
  void reset(jobject object) {
    if (object_ != nullptr) env_->DeleteLocalRef(object_);
    object_ = object;
  }

 private:
  JNIEnv* env_;
  jobject object_;
};

// Reserves local references in addition to the guaranteed ones: -Xcheck:jni warns of more than were reserved.
inline void announce_local_refs(JNIEnv* env, jint count) {
  constexpr jint kUsualCapacity = 32;
  env->EnsureLocalCapacity(count + kUsualCapacity);
}

// The currently loaded classes, for the length of a scope: tens of thousands of local references.
class LoadedClasses {
 public:
  LoadedClasses(jvmtiEnv* jvmti, JNIEnv* env) : jvmti_(jvmti), env_(env) {
    if (jvmti->GetLoadedClasses(&count_, &classes_) != JVMTI_ERROR_NONE) count_ = 0;
    announce_local_refs(env, count_);
  }
  LoadedClasses(const LoadedClasses&) = delete;
  LoadedClasses& operator=(const LoadedClasses&) = delete;
  ~LoadedClasses() {
    for (jclass loaded : *this) env_->DeleteLocalRef(loaded);
    if (classes_ != nullptr) jvmti_->Deallocate(reinterpret_cast<unsigned char*>(classes_));
  }
  const jclass* begin() const { return classes_; }
  const jclass* end() const { return classes_ + count_; }

 private:
  jvmtiEnv* jvmti_;
  JNIEnv* env_;
  jint count_ = 0;
  jclass* classes_ = nullptr;
};

// Attaches the thread to the JVM as a daemon for the length of a scope, if it is not attached already. Null: there is
// no JVM to attach to.
class JvmAttachment {
 public:
  JvmAttachment(JavaVM* vm, const char* name) : vm_(vm) {
    if (vm == nullptr || vm->GetEnv(reinterpret_cast<void**>(&env_), JNI_VERSION_1_8) == JNI_OK) return;
    JavaVMAttachArgs arguments = {JNI_VERSION_1_8, const_cast<char*>(name), nullptr};
    if (vm->AttachCurrentThreadAsDaemon(reinterpret_cast<void**>(&env_), &arguments) == JNI_OK) {
      attached_ = true;
    } else {
      env_ = nullptr;
    }
  }
  JvmAttachment(const JvmAttachment&) = delete;
  JvmAttachment& operator=(const JvmAttachment&) = delete;
  ~JvmAttachment() {
    if (attached_) vm_->DetachCurrentThread();
  }
  JNIEnv* env() const { return env_; }  // null: the JVM accepts no more threads, or there is none

 private:
  JavaVM* vm_;
  JNIEnv* env_ = nullptr;
  bool attached_ = false;
};

}  // namespace hearth
