// Numbers for the class names of sampled objects. Asks the JVM for the name of a class only once. Any thread, outside
// signals.
#pragma once

#include <jvmti.h>

#include <atomic>
#include <cstdint>

#include "capture/store/name_table.h"
#include "capture/unwind/java/vm_layout.h"

namespace hearth::events {

class ClassNumbers {
 public:
  // Both outlive it.
  ClassNumbers(const capture::VmLayout* layout, capture::NameTable* names) : layout_(layout), names_(names) {}
  ClassNumbers(const ClassNumbers&) = delete;
  ClassNumbers& operator=(const ClassNumbers&) = delete;

  // Returns the number of the class of `object`; NameTable::kNone: unknown, or the table is full.
  uint32_t number_of(jvmtiEnv* jvmti, JNIEnv* env, jobject object, jclass its_class);

  // Releases the JVM's references; no other thread may be inside. A thread that is not attached gives the JVM: nothing
  // happens where that takes no more threads.
  void clear(JNIEnv* env);
  void clear(JavaVM* java_vm);

 private:
  static constexpr uint32_t kEntries = 1024;
  // Written once: other classes with the same entry are asked of the JVM each time.
  struct Known {
    std::atomic<uint32_t> state{0};  // 0: free, 1: being written, 2: may be read
    uintptr_t klass = 0;
    jweak reference = nullptr;
    uint32_t number = 0;
  };
  uint32_t ask(jvmtiEnv* jvmti, jclass its_class);

  const capture::VmLayout* layout_;
  capture::NameTable* names_;
  Known known_[kEntries];
};

}  // namespace hearth::events
