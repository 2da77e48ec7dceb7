#include "events/vm/forced_collections.h"

#include <pthread.h>

#include <memory>
#include <system_error>
#include <thread>

#include "base/jvm_refs.h"
#include "base/scoped_signal_mask.h"
#include "events/handlers/current_tid.h"

namespace hearth::events {
namespace {

bool force_collection(JavaVM* java_vm) {
  JvmAttachment attachment(java_vm, "hearth gc");
  if (attachment.env() == nullptr) return false;
  JvmtiEnvironment jvmti(java_vm, JVMTI_VERSION_1_2);
  return jvmti && jvmti->ForceGarbageCollection() == JVMTI_ERROR_NONE;
}

}  // namespace

ForcedCollections& ForcedCollections::instance() {
  static auto* collections = new ForcedCollections;
  return *collections;
}

void ForcedCollections::enter(JavaVM* java_vm, OwnThread own_thread) {
  std::lock_guard<std::mutex> lock(mutex_);
  java_vm_ = java_vm;
  own_thread_ = std::move(own_thread);
}

bool ForcedCollections::collect() {
  auto outcome = std::make_shared<Outcome>(Outcome::kPending);
  std::unique_lock<std::mutex> lock(mutex_);
  if (has_ended_ || java_vm_ == nullptr) return false;
  try {
    ScopedSignalMask blocked;
    std::thread([this, outcome] { run(outcome.get()); }).detach();
  } catch (const std::system_error&) {
    return false;
  }
  changed_.wait(lock, [&] { return has_ended_ || *outcome != Outcome::kPending; });
  return *outcome == Outcome::kFinished;
}

void ForcedCollections::run(Outcome* outcome) {
  pthread_setname_np(pthread_self(), "hearth gc");
  own_thread_(current_tid(), true);
  bool is_done = force_collection(java_vm_);
  own_thread_(current_tid(), false);
  std::lock_guard<std::mutex> lock(mutex_);
  *outcome = is_done ? Outcome::kFinished : Outcome::kFailed;
  changed_.notify_all();
}

void ForcedCollections::end() {
  std::lock_guard<std::mutex> lock(mutex_);
  has_ended_ = true;
  changed_.notify_all();
}

}  // namespace hearth::events
