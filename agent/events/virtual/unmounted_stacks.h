// Stacks of virtual threads that wait off their carrier, as the JVM tells them, in the form of sampled ones. On an
// attached thread; calls come one at a time.
#pragma once

#include <jvmti.h>

#include <optional>
#include <unordered_map>

#include "capture/frame.h"
#include "capture/store/stack_tree.h"
#include "capture/unwind/java/virtual_thread.h"

namespace hearth::events {

class UnmountedStacks {
 public:
  // All outlive it. `names`: as VirtualWaitView.
  UnmountedStacks(jvmtiEnv* jvmti, capture::StackTree* tree, capture::VirtualThreadNames* names)
      : jvmti_(jvmti), tree_(tree), names_(names) {}

  // Below `innermost`, if given. None: the thread has ended, or there is no memory.
  std::optional<uint32_t> of(JNIEnv* env, jthread thread, std::optional<capture::Frame> innermost);

 private:
  capture::Frame outermost(JNIEnv* env, jthread thread);
  bool is_leaving(JNIEnv* env, jmethodID method);

  jvmtiEnv* jvmti_;
  capture::StackTree* tree_;
  capture::VirtualThreadNames* names_;
  std::unordered_map<jmethodID, bool> leaving_;
};

}  // namespace hearth::events
