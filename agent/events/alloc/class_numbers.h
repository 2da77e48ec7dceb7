// Numbers for the names of the classes whose objects are sampled, without asking the JVM for the name of one that is
// known. Any thread, outside signals.
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

  // Of the class of `object`; NameTable::kNone: there is none, or no room.
  uint32_t number_of(jvmtiEnv* jvmti, JNIEnv* env, jobject object, jclass its_class);

  // Gives the JVM its references back; nobody else may be inside.
  void clear(JNIEnv* env);

 private:
  static constexpr uint32_t kPlaces = 1024;
  // Written once: whoever finds its Klass taken by another class asks the JVM each time.
  struct Known {
    std::atomic<uint32_t> state{0};  // 0: free, 1: being written, 2: may be read
    uintptr_t klass = 0;
    jweak reference = nullptr;
    uint32_t number = 0;
  };
  uint32_t ask(jvmtiEnv* jvmti, jclass its_class);

  const capture::VmLayout* layout_;
  capture::NameTable* names_;
  Known known_[kPlaces];
};

}  // namespace hearth::events
