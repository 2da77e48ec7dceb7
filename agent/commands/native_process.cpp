#include "commands/native_process.h"

#include "base/jvm_refs.h"

namespace hearth::commands {

void NativeProcess::enter() {
  std::lock_guard<std::mutex> lock(locks_->state());
  jvm_->enter_without_jvm();
}

void NativeProcess::end() {
  if (jvm_->vm().ends) return;
  JvmAttachment attachment(jvm_->vm().java_vm, "hearth");
  end_jvm_(attachment.env());
}

std::function<void()> NativeProcess::leave_for_exec() {
  JvmAttachment attachment(jvm_->vm().java_vm, "hearth");
  return sessions_->leave_for_exec(attachment.env());
}

}  // namespace hearth::commands
