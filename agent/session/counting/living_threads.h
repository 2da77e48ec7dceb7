// The living Java threads, as the JVM lists them. On an attached thread.
#pragma once

#include <jvmti.h>

#include <cstdint>
#include <string>
#include <vector>

#include "vm/vm.h"

namespace hearth::session {

struct LivingThread {
  int tid = 0;
  std::string name;
  int64_t allocated_bytes = 0;  // since it began, by the JVM's own counters; 0: not known
};

int tid_of_thread(const vm::Vm& vm, JNIEnv* env, jthread thread);
std::vector<LivingThread> living_threads(const vm::Vm& vm, JNIEnv* env);

// Returns "" if the JVM does not know the name.
std::string thread_name(jvmtiEnv* jvmti, JNIEnv* env, jthread thread);

}  // namespace hearth::session
