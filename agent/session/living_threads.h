// The Java threads that live now, as the JVM tells of them. On an attached thread.
#pragma once

#include <jvmti.h>

#include <cstdint>
#include <string>
#include <vector>

#include "session/vm.h"

namespace hearth::session {

struct LivingThread {
  int tid = 0;
  std::string name;
  int64_t allocated_bytes = 0;  // since it began, by the JVM's own counters; 0 where they are not known
};

std::vector<LivingThread> living_threads(const Vm& vm, JNIEnv* env);

// "" when the thread cannot tell.
std::string thread_name(jvmtiEnv* jvmti, JNIEnv* env, jthread thread);

}  // namespace hearth::session
