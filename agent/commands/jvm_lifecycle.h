// The JVM as the agent meets it: load, VMInit, the events that sampling needs, VMDeath. A process may also have none,
// or not yet. Calls come one at a time under the agent's state lock, except set_native_classes() and those that read
// `vm()`'s thread-safe members.
#pragma once

#include <jvmti.h>

#include <atomic>
#include <functional>
#include <memory>

#include "commands/java/java_labels.h"
#include "commands/java/java_recordings.h"
#include "symbols/jvm/vm_structs.h"
#include "vm/vm.h"

namespace hearth::commands {

class JvmLifecycle {
 public:
  using OwnThread = std::function<void(int tid, bool begins)>;

  // Connects to the JVM; repeated calls change nothing. `live`: the VM is past VMInit. `own_thread` reports threads of
  // the agent. Throws Error when this JVM cannot be profiled at all.
  void enter(JavaVM* java_vm, bool live, const OwnThread& own_thread);
  bool entered() const { return entered_; }
  // Lets sessions run without a JVM until enter() is called, if ever; repeated calls change nothing.
  void enter_without_jvm();
  bool has_jvm() const { return vm_.java_vm != nullptr; }
  // Whether a command has to wait for VMInit. `env`: null before it, and in a process without a JVM.
  bool must_wait(JNIEnv* env) const { return env == nullptr ? !is_native_ : !entered_; }

  // Reads facts that only a VM past VMInit shows; once. Throws Error on a virtual thread: retry on a platform thread.
  // Does nothing without a JVM, as those below.
  void complete(JNIEnv* env);

  // Throws Error after VMDeath: nothing would stop a session that starts then.
  void refuse_at_end() const;

  // The Java classes that set labels and spans; they outlive the agent.
  void set_native_classes(const NativeClasses* classes) { native_classes_ = classes; }
  // Connects the label classes that are loaded, with the current limit for slow labels.
  void connect_labels(JNIEnv* env);

  // Call it before a session is made, which copies the VM's layout.
  void prepare_sampling(JNIEnv* env);
  void listen_for_threads();
  void stop_listening();

  vm::Vm& vm() { return vm_; }
  JavaRecordings& recordings() { return recordings_; }

 private:
  void find_libjvm();
  void record_debug_info(bool live);

  vm::Vm vm_;
  std::unique_ptr<symbols::VmStructs> structs_;
  JavaRecordings recordings_;
  std::atomic<const NativeClasses*> native_classes_{nullptr};
  bool entered_ = false;
  bool is_native_ = false;  // the process had no JVM
};

}  // namespace hearth::commands
