// Stacks of virtual threads that wait off their carrier, as the JVM tells them, in the form of sampled ones. On an
// attached thread; calls come one at a time.
#pragma once

#include <jvmti.h>

#include <functional>
#include <optional>
#include <unordered_map>
#include <vector>

#include "capture/frame.h"
#include "capture/store/stack_tree.h"
#include "capture/unwind/java/virtual_thread.h"

namespace hearth::events {

class UnmountedStacks {
 public:
  // What a thread waits for, which becomes the innermost frame.
  using Awaited = std::function<std::optional<capture::Frame>(jthread thread)>;

  // All outlive it. `names`: as VirtualWaitView.
  UnmountedStacks(jvmtiEnv* jvmti, capture::StackTree* tree, capture::VirtualThreadNames* names)
      : jvmti_(jvmti), tree_(tree), names_(names) {}

  // None for a thread that has ended, or without memory. The JVM stops all threads once for some dozens of stacks.
  std::vector<std::optional<uint32_t>> of(JNIEnv* env, const std::vector<jthread>& threads, const Awaited& awaited);

 private:
  std::optional<uint32_t> stack_of(JNIEnv* env, const jvmtiStackInfo& info, std::optional<capture::Frame> innermost);
  capture::Frame outermost(JNIEnv* env, jthread thread);
  bool is_leaving(JNIEnv* env, jmethodID method);

  jvmtiEnv* jvmti_;
  capture::StackTree* tree_;
  capture::VirtualThreadNames* names_;
  std::unordered_map<jmethodID, bool> leaving_;
};

}  // namespace hearth::events
